import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { Retention, RETENTION } from './retention.svelte';

let b: Bench;
let retention: Retention;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  retention = new Retention(b.settings);
});

async function stored(): Promise<unknown> {
  await vi.advanceTimersByTimeAsync(1_000);
  await flushPromises();
  return b.core.settings['traces.retention'];
}

const texts = (): string[] => [retention.text('days'), retention.text('bytes')];

it('has the core’s defaults', () => {
  const rust = readFileSync(join(import.meta.dirname, '../../../../../src-tauri/crates/core/src/trace.rs'), 'utf8');
  const [, days, mib] = /Self \{ days: (\d+), bytes: (\d+) \* 1024 \* 1024 \}/.exec(rust) ?? [];
  expect([RETENTION.days.defaultValue, RETENTION.bytes.defaultValue]).toEqual([Number(days), Number(mib) * 1024 * 1024]);
  expect(texts()).toEqual(['90', '256']);
});

it('is stored with both numbers, which the core wants', async () => {
  retention.type('days', '30');
  expect(await stored()).toEqual({ days: 30, bytes: 268_435_456 });
  retention.type('bytes', '1,024');
  expect(await stored()).toEqual({ days: 30, bytes: 1_073_741_824 });
  retention.reset('days');
  retention.reset('bytes');
  expect(await stored()).toBeNull();
});

it.each([['days', '0'], ['days', '1.5'], ['days', 'ever'], ['bytes', '0'], ['bytes', '-1'], ['bytes', '1000001']] as const)('refuses %s %j, and keeps what it was', async (name, text) => {
  retention.type(name, text);
  retention.leave(name);
  expect(retention.problem(name)).toMatch(/^Enter a .*number from 1 to/);
  expect(await stored()).toBeUndefined();
});

it.each<[unknown, string[]]>([
  [{ days: 7, bytes: 1_572_864 }, ['7', '1.5']], [{ days: 7 }, ['90', '256']], [{ days: 7, bytes: 1, more: 2 }, ['90', '256']],
  [{ days: -1, bytes: 1 }, ['90', '256']], [{ days: '7', bytes: 1 }, ['90', '256']], [7, ['90', '256']],
])('reads %j as the core does', async (value, shown) => {
  b.core.settings['traces.retention'] = value;
  await b.settings.load();
  expect(texts()).toEqual(shown);
});
