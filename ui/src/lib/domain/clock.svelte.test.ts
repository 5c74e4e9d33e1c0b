import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { formatAgo } from './format';

it('an age that is shown goes on with the time, and nothing ticks where none is', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-14T10:00:00Z') });
  const shown: string[] = [];
  const stop = $effect.root(() => {
    $effect(() => {
      shown.push(formatAgo('2026-03-14T09:59:00Z'));
    });
  });
  flushSync();
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  flushSync();
  expect([shown[0], shown.at(-1)]).toEqual(['1 min ago', '6 min ago']);
  stop();
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
