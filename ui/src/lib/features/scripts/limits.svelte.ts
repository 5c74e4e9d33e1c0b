import type { Settings } from '$lib/api';
import { type NumberField, NumberSetting } from '$lib/domain';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The fields of the core's `SandboxLimits`, in the order in which they are shown. It brings what is beyond the bounds within. */
export const LIMITS = {
  seconds: { label: 'Time', unit: 'seconds', help: 'Time waiting for models, pages and other skills doesn’t count.', scale: 1, usual: 120, least: 1, most: 86_400 },
  cpu_seconds: { label: 'CPU time', unit: 'seconds', help: 'Time the script itself uses.', scale: 1, usual: 60, least: 1, most: 86_400 },
  memory_mib: { label: 'Memory', unit: 'MiB', help: 'Memory for Python and all script values.', scale: 1, usual: 256, least: 64, most: 4_000 },
  log_bytes: { label: 'Log', unit: 'KiB', help: 'Output beyond this is truncated.', scale: KIB, usual: MIB, least: KIB, most: 16 * MIB },
  result_bytes: { label: 'Result', unit: 'KiB', help: 'Maximum size of the result as JSON.', scale: KIB, usual: 8 * MIB, least: KIB, most: 64 * MIB },
} as const satisfies Record<string, NumberField>;

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

type Values = Record<LimitName, number>;


/** What a script may use at most. Only what differs from the default is stored. */
export class ScriptLimits extends NumberSetting<LimitName> {
  constructor(settings: Settings) {
    super(settings, { key: 'sandbox.limits', fields: LIMITS, read, write });
  }
}

/** As the core reads it: what older versions stored is ignored, a part that can't be read leaves all at their defaults, one out of bounds is clamped. */
function read(value: unknown, usual: Values): Values {
  if (typeof value !== 'object' || value === null) return usual;
  const values = { ...usual };
  for (const [name, one] of Object.entries(value)) {
    if (name === 'fuel') continue;
    if (!Object.hasOwn(LIMITS, name) || !Number.isInteger(one) || one < 0 || one >= 2 ** 32) return usual;
    const { least, most } = LIMITS[name as LimitName];
    values[name as LimitName] = Math.min(Math.max(one as number, least), most);
  }
  return values;
}

function write(values: Values, usual: Values): unknown {
  const own = LIMIT_NAMES.filter((name) => values[name] !== usual[name]);
  return own.length === 0 ? null : Object.fromEntries(own.map((name) => [name, values[name]]));
}
