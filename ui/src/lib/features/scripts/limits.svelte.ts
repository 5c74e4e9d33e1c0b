import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Settings } from '$lib/api';
import { formatNumber } from '$lib/domain';

interface Limit {
  label: string;
  /** What the field counts. */
  unit: string;
  help: string;
  /** How much of the setting one in the field is. */
  scale: number;
  /** In the setting's own measure, as are the bounds: the core brings what is beyond them within. */
  usual: number;
  least: number;
  most: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** The fields of the core's `SandboxLimits`, in the order in which they are shown. */
export const LIMITS = {
  seconds: { label: 'Time', unit: 'seconds', help: 'Waiting for models, pages and other skills doesn’t count.', scale: 1, usual: 120, least: 1, most: 86_400 },
  fuel: { label: 'Computing', unit: 'billion steps', help: 'A script with the same values takes the same number of steps.', scale: 1e9, usual: 200e9, least: 10e6, most: 1e15 },
  memory_mib: { label: 'Memory', unit: 'MiB', help: 'What Python and all values of the script take together.', scale: 1, usual: 256, least: 64, most: 4_000 },
  log_bytes: { label: 'Log', unit: 'KiB', help: 'What is printed after that is dropped, and the log says so.', scale: KIB, usual: MIB, least: KIB, most: 16 * MIB },
  result_bytes: { label: 'Result', unit: 'KiB', help: 'As JSON. A larger one is refused.', scale: KIB, usual: 8 * MIB, least: KIB, most: 64 * MIB },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

type Values = Record<LimitName, number>;

const KEY = 'sandbox.limits';
const WRITE_MS = 500;
const USUAL = Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMITS[name].usual])) as Values;

/** What a script may use at most: the core's setting as texts in fields. Only what differs from the default is stored. */
export class ScriptLimits {
  readonly #typed = new SvelteMap<LimitName, string>();
  /** Fields that were left with what is no limit. */
  readonly #refused = new SvelteSet<LimitName>();
  readonly #settings: Settings;
  readonly #values = $derived.by(() => read(this.#settings.get(KEY)));

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  text(name: LimitName): string {
    return this.#typed.get(name) ?? inField(name, this.#values[name]);
  }

  /** Why what stands in the field is no limit. Not while it is first typed: a number begins with fewer digits. */
  problem(name: LimitName): string {
    if (!this.#refused.has(name) || parse(name, this.text(name)) !== null) return '';
    const kind = LIMITS[name].scale === 1 ? 'a whole number' : 'a number';
    return `Type ${kind} from ${rangeOf(name)}. Until then it is ${formatNumber(this.#values[name] / LIMITS[name].scale)}.`;
  }

  /** Whether there is something to put back. */
  changed(name: LimitName): boolean {
    return this.#values[name] !== LIMITS[name].usual || this.problem(name) !== '';
  }

  type(name: LimitName, text: string): void {
    this.#typed.set(name, text);
    const value = parse(name, text);
    if (value !== null) this.#store(name, value);
  }

  /** The field was left, or confirmed. */
  leave(name: LimitName): void {
    if (parse(name, this.text(name)) === null) this.#refused.add(name);
    else this.#forget(name);
  }

  reset(name: LimitName): void {
    this.#forget(name);
    this.#store(name, LIMITS[name].usual);
  }

  #forget(name: LimitName): void {
    this.#typed.delete(name);
    this.#refused.delete(name);
  }

  #store(name: LimitName, value: number): void {
    const all = { ...this.#values, [name]: value };
    const own = Object.fromEntries(LIMIT_NAMES.filter((one) => all[one] !== USUAL[one]).map((one) => [one, all[one]]));
    this.#settings.set(KEY, Object.keys(own).length === 0 ? null : own, WRITE_MS);
  }
}

const inField = (name: LimitName, value: number): string => String(value / LIMITS[name].scale);

export const usualOf = (name: LimitName): string => formatNumber(LIMITS[name].usual / LIMITS[name].scale);

/** "1 to 86,400" */
export function rangeOf(name: LimitName): string {
  const { least, most, scale } = LIMITS[name];
  return `${formatNumber(least / scale)} to ${formatNumber(most / scale)}`;
}

/** In the setting's measure; an empty field is the default. Null when it is no limit. */
function parse(name: LimitName, text: string): number | null {
  const { scale, usual, least, most } = LIMITS[name];
  const typed = text.trim();
  if (typed === '') return usual;
  // A comma only where it parts thousands: elsewhere it is a decimal comma, and would be read as ten or a hundred times as much.
  if (!/^(\d+|\d{1,3}([, ]\d{3})+)(\.\d+)?$/.test(typed)) return null;
  const number = Number(typed.replace(/[, ]/g, ''));
  const value = scale === 1 ? number : Math.round(number * scale);
  return Number.isInteger(value) && value >= least && value <= most ? value : null;
}

/** As the core reads it: one part that it can't read leaves all at their defaults, and what is out of bounds is brought within. */
function read(value: unknown): Values {
  if (typeof value !== 'object' || value === null) return USUAL;
  const values = { ...USUAL };
  for (const [name, one] of Object.entries(value)) {
    const top = name === 'fuel' ? 2 ** 64 : 2 ** 32;
    if (!Object.hasOwn(LIMITS, name) || !Number.isInteger(one) || one < 0 || one >= top) return USUAL;
    const { least, most } = LIMITS[name as LimitName];
    values[name as LimitName] = Math.min(Math.max(one as number, least), most);
  }
  return values;
}
