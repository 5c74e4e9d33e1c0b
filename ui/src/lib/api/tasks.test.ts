import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Work } from './tasks.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('takes as long as it takes though the clock is set meanwhile', () => {
  const work = new Work({ title: 'Import skills' });
  vi.setSystemTime(Date.now() - 5 * 3_600_000);
  vi.advanceTimersByTime(1500);
  vi.setSystemTime(Date.now() + 9 * 3_600_000);
  work.done();
  expect((work.task.endedAt ?? 0) - work.task.startedAt).toBe(1500);
});
