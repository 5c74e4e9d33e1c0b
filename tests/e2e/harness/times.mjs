// What was measured, for `cargo xtask bench` to hold against the budgets.
import { readFile, writeFile } from 'node:fs/promises';
import { env } from 'node:process';

/**
 * Adds times to the file that the benchmark reads; without one they are only printed.
 * @param {Record<string, number>} milliseconds  by benchmark id
 */
export async function measured(milliseconds) {
  for (const [id, time] of Object.entries(milliseconds)) console.log(`${id}: ${time.toFixed(1)} ms`);
  const file = env.INKLINGS_TIMES;
  if (!file) return;
  const before = await readFile(file, 'utf8').catch(() => '{}');
  const nanoseconds = Object.fromEntries(Object.entries(milliseconds).map(([id, time]) => [id, time * 1e6]));
  await writeFile(file, JSON.stringify({ ...JSON.parse(before), ...nanoseconds }));
}

/** The least of the times that at least a share of them doesn't exceed. @param {number[]} times @param {number} share */
export function quantile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  const time = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (time === undefined) throw new Error('nothing was measured');
  return time;
}
