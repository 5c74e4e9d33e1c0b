import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, Debounce, type Feed, Latest } from '$lib/api';
import { isTemplate } from '$lib/domain';
import type { Failure, FileEntry, RenderedVariant, SavedInput, Scope, Variable } from '$lib/wire';
import { asFieldText, paramsFor, parseField } from './values';

/** An open file, as far as the preview follows it. */
export interface PreviewTarget {
  scope: Scope;
  skillId: string;
  path: string;
  entry: FileEntry | null;
  text(): string;
}

interface Typed {
  text: string;
  error: string;
}

const FOLLOW_MS = 40;
const KEEP_MS = 600;

/** The rendered prompt of the open template: it follows the text and the form as they are typed. */
export class Preview {
  target = $state.raw<PreviewTarget | null>(null);
  variables = $state.raw<Variable[]>([]);
  variants = $state.raw<RenderedVariant[]>([]);
  /** Variables without a value: a mark stands in for them. */
  empty = $state.raw<string[]>([]);
  failure = $state.raw<Failure | null>(null);
  rendered = $state(false);
  inputs = $state.raw<SavedInput[]>([]);
  /** The saved input that the form was filled from; empty when it is none. */
  chosenInput = $state('');
  readonly variant = $derived.by(
    () =>
      this.variants.find((one) => one.path === this.#variantPath) ??
      this.variants.find((one) => one.path === this.target?.path) ??
      this.variants.find((one) => one.selected) ??
      this.variants[0] ??
      null,
  );
  readonly active = $derived(this.target !== null && isTemplate(this.target.entry, this.target.path));
  #variantPath = $state<string | null>(null);
  readonly #values = new SvelteMap<string, unknown>();
  readonly #typed = new SvelteMap<string, Typed>();
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #soon = new Debounce(FOLLOW_MS, () => this.#latest.ask());
  readonly #keep = new Debounce(KEEP_MS, () => void this.#keepLast());

  constructor(client: Client, feed: Feed) {
    this.#client = client;
    this.#latest = new Latest(() => this.#render());
    feed.on('input', (event) => {
      if (this.target && event.ids.includes(this.target.skillId)) void this.#readInputs(this.target);
    });
  }

  /** Shows another file. */
  async follow(target: PreviewTarget | null): Promise<void> {
    this.#keep.flush();
    this.target = target;
    this.variables = [];
    this.variants = [];
    this.inputs = [];
    this.failure = null;
    this.rendered = false;
    this.chosenInput = '';
    this.#variantPath = null;
    this.#values.clear();
    this.#typed.clear();
    if (!target || !this.active) return;
    await this.#readInputs(target);
    if (this.target !== target) return;
    const last = this.inputs.find((input) => input.name === '');
    if (last) this.#fill(last);
    this.#latest.ask();
  }

  /** The text changed. */
  touch(): void {
    if (this.active) this.#soon.touch();
  }

  retry(): void {
    this.#latest.ask();
  }

  chooseVariant(path: string): void {
    this.#variantPath = path;
  }

  fieldText(variable: Variable): string {
    return this.#typed.get(variable.name)?.text ?? asFieldText(this.#values.get(variable.name), variable.shape);
  }

  fieldError(variable: Variable): string {
    return this.#typed.get(variable.name)?.error ?? '';
  }

  isFilled(variable: Variable): boolean {
    return this.#values.has(variable.name) || this.#typed.has(variable.name);
  }

  setField(variable: Variable, text: string): void {
    const { name, shape } = variable;
    try {
      if (shape !== 'text' && text.trim() === '') this.#values.delete(name);
      else this.#values.set(name, parseField(text, shape));
      this.#typed.set(name, { text, error: '' });
      this.#keep.touch();
      this.#soon.touch();
    } catch (cause) {
      // The last value that could be read goes on being rendered.
      this.#typed.set(name, { text, error: cause instanceof Error ? cause.message : String(cause) });
    }
  }

  clearField(variable: Variable): void {
    this.#values.delete(variable.name);
    this.#typed.delete(variable.name);
    this.#keep.touch();
    this.#soon.touch();
  }

  chooseInput(name: string): void {
    const input = this.inputs.find((one) => one.name === name);
    if (!input) return;
    this.#fill(input);
    this.#keep.touch();
    this.#latest.ask();
  }

  /** Saves the form under a name. Null when it worked. */
  async saveInput(name: string, params = Object.fromEntries(this.#values)): Promise<Failure | null> {
    const target = this.target;
    if (!target) return null;
    try {
      await this.#client.call('input/save', { ...this.#at(target), name, params });
      await this.#readInputs(target);
      this.chosenInput = name;
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Deletes a saved input and returns it, for an undo. */
  async deleteInput(name: string): Promise<SavedInput | null> {
    const target = this.target;
    const input = this.inputs.find((one) => one.name === name);
    if (!target || !input) return null;
    await this.#client.call('input/delete', { ...this.#at(target), name });
    if (this.chosenInput === name) this.chosenInput = '';
    await this.#readInputs(target);
    return input;
  }

  #at({ scope, skillId, path }: PreviewTarget): { skill: string; scope: Scope; path: string } {
    return { skill: skillId, scope, path };
  }

  #fill(input: SavedInput): void {
    this.#values.clear();
    this.#typed.clear();
    for (const [name, value] of Object.entries(input.params)) this.#values.set(name, value);
    this.chosenInput = input.name;
  }

  async #readInputs(target: PreviewTarget): Promise<void> {
    try {
      const { inputs } = await this.#client.call('input/list', this.#at(target));
      if (this.target === target) this.inputs = inputs;
    } catch {
      // Without saved inputs the form is empty; the preview itself says what is wrong.
    }
  }

  async #keepLast(): Promise<void> {
    const target = this.target;
    if (!target) return;
    const params = Object.fromEntries(this.#values);
    await this.#client.call('input/save', { ...this.#at(target), name: '', params }).catch(() => undefined);
  }

  async #render(): Promise<void> {
    const target = this.target;
    if (!target) return;
    const known = this.variables;
    const { params, empty } = paramsFor(known, this.#values);
    try {
      const reply = await this.#client.call('prompt/render', { ...this.#at(target), text: target.text(), params });
      if (this.target !== target) return;
      // A half-typed tag hides the variables: the form keeps its fields until the text can be read again.
      const broken = reply.variants.some((one) => one.error !== null);
      const kept = broken ? known.filter((one) => !reply.variables.some((other) => other.name === one.name)) : [];
      const variables = [...reply.variables, ...kept];
      this.variables = variables;
      this.failure = null;
      const names = (list: readonly Variable[]): string => list.map((one) => `${one.name}:${one.shape}:${one.fields.join()}`).join(' ');
      // A variable that wasn't known yet needs its stand-in: the next reply has it.
      if (names(known) !== names(variables)) this.#latest.ask();
      const settled = names(known) === names(variables) || variables.length === 0;
      if (settled || this.rendered) {
        this.variants = reply.variants;
        this.empty = empty;
        this.rendered = true;
      }
    } catch (cause) {
      if (this.target === target) {
        this.failure = asFailure(cause);
        this.rendered = true;
      }
    }
  }
}
