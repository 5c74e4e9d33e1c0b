import { SvelteMap } from 'svelte/reactivity';
import type { Params, Prompt } from '$lib/api/generated';
import { asFieldText, parseField } from './values';

interface TypedValues {
  text: string;
  /** Empty for a valid text. */
  error: string;
}

/** The variables of a form and their values. */
export class FormFields {
  variables = $state.raw<Prompt.Variable[]>([]);
  readonly values = new SvelteMap<string, unknown>();
  readonly #typed = new SvelteMap<string, TypedValues>();
  readonly #onedit: () => void;
  /** Names of the variables whose text isn’t valid. */
  readonly broken = $derived(this.variables.filter((one) => this.error(one) !== '').map((one) => one.name));
  /** Names of the required variables without a value. */
  readonly blank = $derived(
    this.variables.filter((one) => !one.optional && one.default == null && !this.values.has(one.name)).map((one) => one.name),
  );

  /** `onedit` is called for each typed or cleared value. */
  constructor(onedit: () => void) {
    this.#onedit = onedit;
  }

  text(variable: Prompt.Variable): string {
    return this.#typed.get(variable.name)?.text ?? asFieldText(this.values.get(variable.name), variable.shape);
  }

  error(variable: Prompt.Variable): string {
    return this.#typed.get(variable.name)?.error ?? '';
  }

  isFilled(variable: Prompt.Variable): boolean {
    return this.values.has(variable.name) || this.#typed.has(variable.name);
  }

  set(variable: Prompt.Variable, text: string): void {
    const { name, shape } = variable;
    try {
      if (shape !== 'text' && text.trim() === '') this.values.delete(name);
      else this.values.set(name, parseField(text, shape));
      this.#typed.set(name, { text, error: '' });
      this.#onedit();
    } catch (cause) {
      // The last valid value stays in use.
      this.#typed.set(name, { text, error: cause instanceof Error ? cause.message : String(cause) });
    }
  }

  setValue({ name }: Prompt.Variable, value: unknown): void {
    this.values.set(name, value);
    this.#typed.delete(name);
    this.#onedit();
  }

  clear(variable: Prompt.Variable): void {
    this.values.delete(variable.name);
    this.#typed.delete(variable.name);
    this.#onedit();
  }

  /** Replaces all values. */
  fill(params: Params): void {
    this.values.clear();
    this.#typed.clear();
    for (const [name, value] of Object.entries(params)) this.values.set(name, value);
  }

  params(): Params {
    return Object.fromEntries(this.values);
  }
}
