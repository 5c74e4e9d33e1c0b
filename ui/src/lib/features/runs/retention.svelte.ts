import type { Settings } from '$lib/api';
import { type NumberField, NumberSetting } from '$lib/domain';

const MIB = 1024 * 1024;

/** The fields of the core's `Retention`. */
export const RETENTION = {
  days: { label: 'Keep runs for', unit: 'days', help: 'Older runs and script checkpoints are deleted.', scale: 1, defaultValue: 90, min: 1, max: 36_500 },
  bytes: { label: 'Keep at most', unit: 'MiB', help: 'Total size of inputs, outputs and logs. The oldest runs are deleted first.', scale: MIB, defaultValue: 256 * MIB, min: MIB, max: 1_000_000 * MIB },
} as const satisfies Record<string, NumberField>;

export type RetentionName = keyof typeof RETENTION;
export const RETENTION_NAMES = Object.keys(RETENTION) as RetentionName[];

type Values = Record<RetentionName, number>;

/** How long runs are kept. */
export class Retention extends NumberSetting<RetentionName> {
  constructor(settings: Settings) {
    super(settings, { key: 'traces.retention', fields: RETENTION, read, write });
  }
}

/** The stored value must have both numbers and nothing else, or the defaults apply. */
function read(value: unknown, defaultValue: Values): Values {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== RETENTION_NAMES.length) return defaultValue;
  const { days, bytes } = value as Record<string, unknown>;
  const fits = (one: unknown, below: number): one is number => Number.isInteger(one) && (one as number) >= 0 && (one as number) < below;
  return fits(days, 2 ** 32) && fits(bytes, 2 ** 64) ? { days, bytes } : defaultValue;
}

function write(values: Values, defaultValue: Values): unknown {
  return RETENTION_NAMES.every((name) => values[name] === defaultValue[name]) ? null : values;
}
