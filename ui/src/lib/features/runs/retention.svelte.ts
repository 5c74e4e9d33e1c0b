import type { Settings } from '$lib/api';
import { type NumberField, NumberSetting } from '$lib/domain';

const MIB = 1024 * 1024;

/** The fields of the core's `Retention`. */
export const RETENTION = {
  days: { label: 'Keep runs for', unit: 'days', help: 'Older runs and script checkpoints are deleted.', scale: 1, usual: 90, least: 1, most: 36_500 },
  bytes: { label: 'Keep at most', unit: 'MiB', help: 'Total size of inputs, outputs and logs. The oldest runs are deleted first.', scale: MIB, usual: 256 * MIB, least: MIB, most: 1_000_000 * MIB },
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

/** As the core reads it: both numbers and nothing else, or the usual ones hold. */
function read(value: unknown, usual: Values): Values {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== RETENTION_NAMES.length) return usual;
  const { days, bytes } = value as Record<string, unknown>;
  const fits = (one: unknown, below: number): one is number => Number.isInteger(one) && (one as number) >= 0 && (one as number) < below;
  return fits(days, 2 ** 32) && fits(bytes, 2 ** 64) ? { days, bytes } : usual;
}

function write(values: Values, usual: Values): unknown {
  return RETENTION_NAMES.every((name) => values[name] === usual[name]) ? null : values;
}
