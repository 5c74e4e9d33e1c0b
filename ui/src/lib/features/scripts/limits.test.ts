import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { rangeOf as range, defaultOf as defaultValue } from '$lib/domain';
import { LIMIT_NAMES, type LimitName, LIMITS, ScriptLimits } from './limits.svelte';

const rangeOf = (name: LimitName): string => range(LIMITS[name]);
const defaultOf = (name: LimitName): string => defaultValue(LIMITS[name]);

let b: Bench;
let limits: ScriptLimits;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  limits = new ScriptLimits(b.settings);
});

async function stored(): Promise<unknown> {
  await vi.advanceTimersByTimeAsync(1_000);
  await flushPromises();
  return b.core.settings['sandbox.limits'];
}

/** Types into a field and leaves it. */
function enter(name: LimitName, text: string): void {
  limits.type(name, text);
  limits.leave(name);
}

const texts = (): string[] => LIMIT_NAMES.map((name) => limits.text(name));
const DEFAULTS = ['120', '60', '256', '1,024', '8,192'];

it('are those of the core', () => {
  // Its own text, so that neither can be changed alone.
  const rust = readFileSync(join(import.meta.dirname, '../../../../../src-tauri/crates/core/src/sandbox.rs'), 'utf8');
  const number = (text = ''): number => text.split('*').map((part) => Number(part.replaceAll('_', ''))).reduce((product, factor) => product * factor);
  const line = /Self \{ (cpu_seconds: .*) \}/.exec(rust)?.[1] ?? '';
  for (const name of LIMIT_NAMES) {
    const [, min, max] = new RegExp(`self\\.${name}\\.clamp\\(([^,]+), ([^)]+)\\)`).exec(rust) ?? [];
    const stated = new RegExp(`\\b${name}: ([\\d_* ]+)`).exec(line)?.[1];
    expect([name, LIMITS[name].min, LIMITS[name].defaultValue, LIMITS[name].max]).toEqual([name, number(min), number(stated), number(max)]);
  }
  expect(line.match(/\w+: /g)).toHaveLength(LIMIT_NAMES.length);
});

it('are the defaults until something is set, in units that people use', () => {
  expect(texts()).toEqual(DEFAULTS);
  expect(LIMIT_NAMES.map(defaultOf)).toEqual(['120', '60', '256', '1,024', '8,192']);
  expect(LIMIT_NAMES.map(rangeOf)).toEqual(['1 to 86,400', '1 to 86,400', '64 to 4,000', '1 to 16,384', '1 to 65,536']);
  expect(LIMIT_NAMES.some((name) => limits.changed(name))).toBe(false);
});

it.each<[LimitName, string, number]>([
  ['seconds', '1', 1], ['seconds', ' 3,600 ', 3600], ['cpu_seconds', '5', 5], ['cpu_seconds', '1 000', 1_000],
  ['memory_mib', '4000', 4_000], ['log_bytes', '1.5', 1_536], ['result_bytes', '65536', 67_108_864],
])('stores %s %j in the measure of the setting', async (name, text, value) => {
  enter(name, text);
  expect(await stored()).toEqual({ [name]: value });
  expect(limits.problem(name)).toBe('');
  expect(limits.changed(name)).toBe(true);
  expect(Number(limits.text(name).replaceAll(',', ''))).toBe(value / LIMITS[name].scale);
});

it.each<[LimitName, string]>([
  ['seconds', '0'], ['seconds', '86401'], ['seconds', '1.5'], ['seconds', '-1'], ['seconds', 'ten'], ['seconds', '1e3'], ['cpu_seconds', '0'],
  ['cpu_seconds', '1,5'], ['cpu_seconds', '86401'], ['memory_mib', '63'], ['memory_mib', '10,00'], ['log_bytes', '0.5'], ['result_bytes', '65537'],
])('refuses %s %j beside the field, and keeps what it was', async (name, text) => {
  enter(name, text);
  expect(limits.text(name)).toBe(text);
  expect(limits.problem(name)).toContain(rangeOf(name));
  expect(limits.problem(name)).toContain(`Current value: ${defaultOf(name)}.`);
  expect(await stored()).toBeUndefined();
  expect(limits.changed(name)).toBe(true);
  limits.reset(name);
  expect([limits.problem(name), limits.changed(name), ...texts()]).toEqual(['', false, ...DEFAULTS]);
});

it('complain when the field is left, not while a number is typed, and no longer once it is right', async () => {
  limits.type('memory_mib', '5');
  expect(limits.problem('memory_mib')).toBe('');
  limits.leave('memory_mib');
  expect(limits.problem('memory_mib')).not.toBe('');
  limits.type('memory_mib', '51');
  expect(limits.problem('memory_mib')).not.toBe('');
  limits.type('memory_mib', '512');
  expect(limits.problem('memory_mib')).toBe('');
  expect(await stored()).toEqual({ memory_mib: 512 });
});

it('store only what differs from the defaults, and nothing when nothing does', async () => {
  enter('seconds', '5');
  enter('log_bytes', '64');
  expect(await stored()).toEqual({ seconds: 5, log_bytes: 65_536 });
  limits.reset('log_bytes');
  expect(await stored()).toEqual({ seconds: 5 });
  enter('seconds', '');
  expect(await stored()).toBeNull();
  expect(texts()).toEqual(DEFAULTS);
});

describe('what something else wrote', () => {
  it('is shown when it comes', async () => {
    b.core.settings['sandbox.limits'] = { seconds: 7 };
    b.core.emit('setting', ['sandbox.limits']);
    await flushPromises();
    expect(limits.text('seconds')).toBe('7');
  });

  it.each<[string, unknown, string[]]>([
    ['no object', 3, DEFAULTS],
    ['a part of another name', { seconds: 5, toString: 1 }, DEFAULTS],
    ['a limit of an older version', { seconds: 5, fuel: 1e12 }, ['5', '60', '256', '1,024', '8,192']],
    ['a fraction', { seconds: 1.5, memory_mib: 512 }, DEFAULTS],
    ['more than the core can read', { seconds: 2 ** 32, memory_mib: 512 }, DEFAULTS],
    ['less than none', { seconds: -1 }, DEFAULTS],
    ['out of bounds', { seconds: 0, memory_mib: 9_000, cpu_seconds: 0 }, ['1', '1', '4,000', '1,024', '8,192']],
  ])('is read as the core does: %s', (_, value, shown) => {
    b.settings.set('sandbox.limits', value);
    expect(texts()).toEqual(shown);
  });

  it('and can’t be read is replaced by the next edit', async () => {
    b.settings.set('sandbox.limits', { minutes: 5 });
    enter('seconds', '9');
    expect(await stored()).toEqual({ seconds: 9 });
  });
});
