import type { Settings } from '$lib/api';
import { type NumberField, NumberSetting } from '$lib/domain';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The fields of the core’s `SandboxLimits`, in display order. The core clamps values to these bounds. */
export const LIMITS = {
  seconds: { label: 'Time', unit: 'seconds', help: 'Time waiting for models, pages and other skills doesn’t count.', scale: 1, defaultValue: 120, min: 1, max: 86_400 },
  cpu_seconds: { label: 'CPU time', unit: 'seconds', help: 'Time the script itself uses.', scale: 1, defaultValue: 60, min: 1, max: 86_400 },
  memory_mib: { label: 'Memory', unit: 'MiB', help: 'Memory for Python and all script values.', scale: 1, defaultValue: 256, min: 64, max: 4_000 },
  log_bytes: { label: 'Log', unit: 'KiB', help: 'Output beyond this is truncated.', scale: KIB, defaultValue: MIB, min: KIB, max: 16 * MIB },
  result_bytes: { label: 'Result', unit: 'KiB', help: 'Maximum size of the result as JSON.', scale: KIB, defaultValue: 8 * MIB, min: KIB, max: 64 * MIB },
} as const satisfies Record<string, NumberField>;

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

type Values = Record<LimitName, number>;


/** The resource limits of scripts. Only values that differ from the default are stored. */
export class ScriptLimits extends NumberSetting<LimitName> {
  constructor(settings: Settings) {
    super(settings, { key: 'sandbox.limits', fields: LIMITS, read, write });
  }
}

/** Reads the setting as the core does: unknown fields are ignored, values out of bounds are clamped, and an invalid value resets all to their defaults. */
function read(value: unknown, defaultValue: Values): Values {
  if (typeof value !== 'object' || value === null) return defaultValue;
  const values = { ...defaultValue };
  for (const [name, one] of Object.entries(value)) {
    if (name === 'fuel') continue;
    if (!Object.hasOwn(LIMITS, name) || !Number.isInteger(one) || one < 0 || one >= 2 ** 32) return defaultValue;
    const { min, max } = LIMITS[name as LimitName];
    values[name as LimitName] = Math.min(Math.max(one as number, min), max);
  }
  return values;
}

function write(values: Values, defaultValue: Values): unknown {
  const own = LIMIT_NAMES.filter((name) => values[name] !== defaultValue[name]);
  return own.length === 0 ? null : Object.fromEntries(own.map((name) => [name, values[name]]));
}
