import { expect, it } from 'vitest';
import type { Failure, TraceDetail } from '$lib/api/generated';
import { fail } from '../../../../tests/fake/core';
import { remedyOf } from './remedy';

const of = (code: Failure['code'], fields: Record<string, unknown> | null = null): ReturnType<typeof remedyOf> =>
  // The words say something else on purpose: they are for people.
  remedyOf({ ...fail(code, 'raise the limit in the settings'), fields });

const REMEDIES: Record<TraceDetail['outcome'], ReturnType<typeof remedyOf>> = {
  syntax: null, exception: null, 'out-of-cpu': 'limits', 'out-of-time': 'limits', 'out-of-memory': 'limits', 'stack-overflow': null, exited: null,
  'no-submit': null, 'result-too-large': 'limits', 'bad-result': null, ended: null, cancelled: null, unavailable: null,
};

it.each(Object.entries(REMEDIES))('a script that ended with %s has the remedy %s', (outcome, remedy) => {
  expect(of('script', { outcome })).toBe(remedy);
});

it('leads to the settings of what is missing', () => {
  expect(of('notInstalled', { kind: 'dspy_module' })).toBe('process');
  expect(of('notInstalled', { kind: 'code_template' })).toBe('sandbox');
  expect(of('notInstalled', { kind: 'prompt_template' })).toBeNull();
  expect(of('notInstalled')).toBeNull();
});

it('offers what can be done at once, and nothing where the skill must change', () => {
  expect((['noModel', 'notTrusted', 'approvalRequired', 'model', 'io', 'busy', 'invalid', 'assertion', 'program'] as const).map((code) => of(code))).toEqual(['model', 'trust', 'retry', 'retry', 'retry', 'retry', null, null, null]);
});
