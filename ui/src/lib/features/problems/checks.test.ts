import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, ChangeFeed } from '$lib/api';
import type { Check } from '$lib/api/generated';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { Checks } from './checks.svelte';

const PAGE = { total: 2, checked: 1, next: null };
const found = (id: string, revision = 1): Check.SkillFindings => ({
  id, scope: 'account', revision, counts: { errors: 1, warnings: 0, infos: 0, hints: 0 },
  diagnostics: [{ rule: 'x/y', severity: 'error', message: `of ${revision}`, hint: null, file: 'SKILL.md', line: 1, column: 1, end_line: null, end_column: null, pointer: null }],
});

let core: FakeCore;
let checks: Checks;
let answers: (Check.CheckedSkills | Error)[];

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  const feed = new ChangeFeed();
  await feed.start(core, () => null);
  answers = [];
  const client = new Client(core);
  vi.spyOn(client, 'call').mockImplementation(() => {
    const answer = answers.shift() ?? new Error('not expected');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  checks = new Checks(client, feed);
});

describe('checks of all skills', () => {
  it('come page by page, and what is the same stays', async () => {
    answers = [{ ...PAGE, skills: [found('1')], next: { scope: 'account', after: 'a' } }, { ...PAGE, skills: [found('2')] }];
    expect([checks.progress, checks.done]).toEqual([null, false]);
    checks.start();
    await flushPromises();
    expect([...checks.found.keys()]).toEqual(['account:1', 'account:2']);
    expect(checks.done).toBe(true);
    const first = checks.found.get('account:1');
    answers = [{ ...PAGE, checked: 2, skills: [found('1')] }];
    checks.again();
    await flushPromises();
    expect(checks.found.get('account:1')).toBe(first);
    expect([...checks.found.keys()]).toEqual(['account:1']);
  });

  it('say why they failed, and keep what they had', async () => {
    answers = [{ ...PAGE, checked: 2, skills: [found('1')] }];
    checks.start();
    await flushPromises();
    answers = [new Error('the disk is gone')];
    checks.again();
    await flushPromises();
    expect(checks.failure?.message).toMatch(/disk is gone/);
    expect(checks.found.size).toBe(1);
  });
});
