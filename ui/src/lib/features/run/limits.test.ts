import { beforeEach, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { RunLimits } from './limits.svelte';

let b: Bench;
let skill: { scope: 'account' | 'workspace'; skillId: string } | null;
let limits: RunLimits;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  skill = { scope: 'account', skillId: 'one' };
  limits = new RunLimits(b.settings, () => skill);
});

it('are none until something is typed', () => {
  expect(limits.wire()).toEqual({});
  expect(limits.summary).toBe('600 s');
  expect(limits.invalid).toEqual([]);
});

it('are remembered for each skill', async () => {
  limits.set('tokens', '10,000');
  limits.set('cost', '$0.50');
  await vi.advanceTimersByTimeAsync(1_000);
  await flushPromises();
  expect(b.core.settings['run.limits']).toEqual({ 'account:one': { tokens: 10_000, cost: 0.5 } });
  expect(limits.summary).toBe('10,000 tokens, $0.50');
  limits.set('cost', '.5');
  expect(limits.wire()).toMatchObject({ cost: 0.5 });
  const again = new RunLimits(b.settings, () => skill);
  expect([again.text('tokens'), again.text('cost'), again.text('seconds')]).toEqual(['10000', '0.5', '']);
  skill = { scope: 'workspace', skillId: 'one' };
  expect(new RunLimits(b.settings, () => skill).wire()).toEqual({});
});

it('go when their field is emptied', async () => {
  limits.set('seconds', '30');
  limits.set('seconds', '');
  await vi.advanceTimersByTimeAsync(1_000);
  await flushPromises();
  expect(limits.wire()).toEqual({});
  expect(b.core.settings['run.limits']).toEqual({});
});

it.each([['tokens', '0'], ['tokens', '1.5'], ['seconds', '1,5'], ['cost', '0,25'], ['tokens', 'many'], ['cost', '-1'], ['cost', '0'], ['cost', '1e999'], ['seconds', '99999999999']] as const)(
  'say what is wrong with %s %s, and keep the last that was right',
  (name, text) => {
    limits.set(name, '7');
    limits.set(name, text);
    expect(limits.invalid).toEqual([name]);
    expect(limits.text(name)).toBe(text);
    expect(limits.wire()).toEqual({ [name]: 7 });
  },
);

it('of a setting that something else wrote are taken only where they are numbers', () => {
  b.settings.set('run.limits', { 'account:one': { tokens: 'x', cost: 2, seconds: -1 }, other: 3 });
  expect(limits.wire()).toEqual({ cost: 2 });
});
