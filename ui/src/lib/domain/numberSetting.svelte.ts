import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Settings } from '$lib/api';
import { formatNumber } from './format';
import { typedNumber } from './typedNumber';

export interface NumberField {
  label: string;
  unit: string;
  help: string;
  /** The setting's value is the field's number times this. */
  scale: number;
  /** In units of the setting, as are the bounds. */
  defaultValue: number;
  min: number;
  max: number;
}

interface Shape<N extends string> {
  key: string;
  fields: Record<N, NumberField>;
  /** Must accept the same values as the core. */
  read: (value: unknown, defaultValue: Record<N, number>) => Record<N, number>;
  /** Null if all values are defaults. */
  write: (values: Record<N, number>, defaultValue: Record<N, number>) => unknown;
}

const WRITE_MS = 500;

/** A setting of several numbers, edited in text fields. */
export class NumberSetting<N extends string> {
  readonly #typed = new SvelteMap<N, string>();
  /** Fields that lost the focus with an invalid value. */
  readonly #refused = new SvelteSet<N>();
  readonly #settings: Settings;
  readonly #shape: Shape<N>;
  readonly #defaultValue: Record<N, number>;
  readonly #values = $derived.by(() => this.#shape.read(this.#settings.get(this.#shape.key), this.#defaultValue));

  constructor(settings: Settings, shape: Shape<N>) {
    this.#settings = settings;
    this.#shape = shape;
    this.#defaultValue = Object.fromEntries(Object.entries<NumberField>(shape.fields).map(([name, { defaultValue }]) => [name, defaultValue])) as Record<N, number>;
  }

  field(name: N): NumberField {
    return this.#shape.fields[name];
  }

  text(name: N): string {
    const value = this.#values[name] / this.field(name).scale;
    return this.#typed.get(name) ?? (Number.isInteger(value) ? formatNumber(value) : String(value));
  }

  /** Empty while a value is first typed, since a number begins with fewer digits. */
  problem(name: N): string {
    const field = this.field(name);
    if (!this.#refused.has(name) || parse(field, this.text(name)) !== null) return '';
    const kind = field.scale === 1 ? 'a whole number' : 'a number';
    return `Enter ${kind} from ${rangeOf(field)}. Current value: ${formatNumber(this.#values[name] / field.scale)}.`;
  }

  changed(name: N): boolean {
    return this.#values[name] !== this.#defaultValue[name] || this.problem(name) !== '';
  }

  type(name: N, text: string): void {
    this.#typed.set(name, text);
    const value = parse(this.field(name), text);
    if (value !== null) this.#store(name, value);
  }

  /** Call when the field loses the focus, or on Enter. */
  leave(name: N): void {
    if (parse(this.field(name), this.text(name)) === null) this.#refused.add(name);
    else this.#forget(name);
  }

  reset(name: N): void {
    this.#forget(name);
    this.#store(name, this.#defaultValue[name]);
  }

  #forget(name: N): void {
    this.#typed.delete(name);
    this.#refused.delete(name);
  }

  #store(name: N, value: number): void {
    this.#settings.set(this.#shape.key, this.#shape.write({ ...this.#values, [name]: value }, this.#defaultValue), WRITE_MS);
  }
}

export const defaultOf = ({ defaultValue, scale }: NumberField): string => formatNumber(defaultValue / scale);

/** "1 to 86,400" */
export const rangeOf = ({ min, max, scale }: NumberField): string => `${formatNumber(min / scale)} to ${formatNumber(max / scale)}`;

/** In units of the setting; an empty field is the default. Null if it isn't valid. */
function parse({ scale, defaultValue, min, max }: NumberField, text: string): number | null {
  if (text.trim() === '') return defaultValue;
  const number = typedNumber(text);
  if (number === null) return null;
  const value = scale === 1 ? number : Math.round(number * scale);
  return Number.isInteger(value) && value >= min && value <= max ? value : null;
}
