import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Settings } from '$lib/api';
import { formatNumber } from './format';

export interface NumberField {
  label: string;
  /** What the field counts. */
  unit: string;
  help: string;
  /** How much of the setting one in the field is. */
  scale: number;
  /** In the setting's own measure, as are the bounds. */
  usual: number;
  least: number;
  most: number;
}

interface Shape<N extends string> {
  key: string;
  fields: Record<N, NumberField>;
  /** As the core reads it. */
  read: (value: unknown, usual: Record<N, number>) => Record<N, number>;
  /** Null where everything is as usual. */
  write: (values: Record<N, number>, usual: Record<N, number>) => unknown;
}

const WRITE_MS = 500;

/** A setting of the core that holds several numbers, as texts in fields. */
export class NumberSetting<N extends string> {
  readonly #typed = new SvelteMap<N, string>();
  /** Fields that were left with what is no value. */
  readonly #refused = new SvelteSet<N>();
  readonly #settings: Settings;
  readonly #shape: Shape<N>;
  readonly #usual: Record<N, number>;
  readonly #values = $derived.by(() => this.#shape.read(this.#settings.get(this.#shape.key), this.#usual));

  constructor(settings: Settings, shape: Shape<N>) {
    this.#settings = settings;
    this.#shape = shape;
    this.#usual = Object.fromEntries(Object.entries<NumberField>(shape.fields).map(([name, { usual }]) => [name, usual])) as Record<N, number>;
  }

  field(name: N): NumberField {
    return this.#shape.fields[name];
  }

  text(name: N): string {
    const value = this.#values[name] / this.field(name).scale;
    return this.#typed.get(name) ?? (Number.isInteger(value) ? formatNumber(value) : String(value));
  }

  /** Why what stands in the field is no value. Not while it is first typed: a number begins with fewer digits. */
  problem(name: N): string {
    const field = this.field(name);
    if (!this.#refused.has(name) || parse(field, this.text(name)) !== null) return '';
    const kind = field.scale === 1 ? 'a whole number' : 'a number';
    return `Enter ${kind} from ${rangeOf(field)}. Current value: ${formatNumber(this.#values[name] / field.scale)}.`;
  }

  /** Whether there is something to put back. */
  changed(name: N): boolean {
    return this.#values[name] !== this.#usual[name] || this.problem(name) !== '';
  }

  type(name: N, text: string): void {
    this.#typed.set(name, text);
    const value = parse(this.field(name), text);
    if (value !== null) this.#store(name, value);
  }

  /** The field was left, or confirmed. */
  leave(name: N): void {
    if (parse(this.field(name), this.text(name)) === null) this.#refused.add(name);
    else this.#forget(name);
  }

  reset(name: N): void {
    this.#forget(name);
    this.#store(name, this.#usual[name]);
  }

  #forget(name: N): void {
    this.#typed.delete(name);
    this.#refused.delete(name);
  }

  #store(name: N, value: number): void {
    this.#settings.set(this.#shape.key, this.#shape.write({ ...this.#values, [name]: value }, this.#usual), WRITE_MS);
  }
}

export const defaultOf = ({ usual, scale }: NumberField): string => formatNumber(usual / scale);

/** "1 to 86,400" */
export const rangeOf = ({ least, most, scale }: NumberField): string => `${formatNumber(least / scale)} to ${formatNumber(most / scale)}`;

/** In the setting's measure; an empty field is the default. Null when it is no value. */
function parse({ scale, usual, least, most }: NumberField, text: string): number | null {
  const typed = text.trim();
  if (typed === '') return usual;
  // A comma only where it parts thousands: elsewhere it is a decimal comma, and would be read as ten or a hundred times as much.
  if (!/^(\d+|\d{1,3}([, ]\d{3})+)(\.\d+)?$/.test(typed)) return null;
  const number = Number(typed.replace(/[, ]/g, ''));
  const value = scale === 1 ? number : Math.round(number * scale);
  return Number.isInteger(value) && value >= least && value <= most ? value : null;
}
