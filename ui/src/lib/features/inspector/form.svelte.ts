import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, Debounce, type ChangeFeed } from '$lib/api';
import type { Failure, Params, SavedInput, Scope, Variable } from '$lib/api/generated';
import { asFieldText, parseField } from './values';

/** What the values are for: an artifact of a skill; a whole skill goes by its SKILL.md. */
export interface FormKey {
  scope: Scope;
  skillId: string;
  path: string;
}

interface Typed {
  text: string;
  error: string;
}

const KEEP_MS = 600;

/** The values that an artifact or a skill is given: typed in, remembered, and saved under names. */
export class Form {
  key = $state.raw<FormKey | null>(null);
  variables = $state.raw<Variable[]>([]);
  inputs = $state.raw<SavedInput[]>([]);
  /** The saved input that the form was filled from; empty when it is none. */
  chosenInput = $state('');
  /** Goes up with every change of a value. */
  edition = $state(0);
  /** Kept once the values of what it is for are read. */
  ready: Promise<unknown> = Promise.resolve();
  readonly values = new SvelteMap<string, unknown>();
  readonly #typed = new SvelteMap<string, Typed>();
  readonly #client: Client;
  readonly #onchange: () => void;
  /** Saves of the values that are on their way. */
  #keeping = 0;
  readonly #keep = new Debounce(KEEP_MS, () => void this.#keepLast());

  constructor(client: Client, feed: ChangeFeed, onchange: () => void = () => undefined) {
    this.#client = client;
    this.#onchange = onchange;
    feed.on('input', (event) => {
      // An id is a skill's slug and the file's path; of a skill that got another name the slug alone.
      const { key } = this;
      if (key && (event.ids.length === 0 || event.ids.some((id) => !id.includes('/') || id.endsWith(`/${key.path}`)))) void this.#readAgain(key);
    });
  }

  /** Takes the values of something else, as they were last. False when something else again was asked for meanwhile. */
  follow(key: FormKey | null): Promise<boolean> {
    const followed = this.#follow(key);
    this.ready = followed;
    return followed;
  }

  /** Whether the values are of that file. */
  isOf({ scope, skillId, path }: FormKey): boolean {
    const { key } = this;
    return key?.scope === scope && key.skillId === skillId && key.path === path;
  }

  async #follow(key: FormKey | null): Promise<boolean> {
    this.#keep.flush();
    this.key = key;
    this.variables = [];
    this.inputs = [];
    this.chosenInput = '';
    this.values.clear();
    this.#typed.clear();
    if (!key) return true;
    await this.#readInputs(key);
    if (this.key !== key) return false;
    const last = this.inputs.find((input) => input.name === '');
    if (last) this.#fill(last);
    return true;
  }

  /** What a run is given. */
  params(): Params {
    return Object.fromEntries(this.values);
  }

  /** The fields that hold no readable value. */
  readonly broken = $derived(this.variables.filter((one) => (this.#typed.get(one.name)?.error ?? '') !== '').map((one) => one.name));
  /** Those that must be filled in and aren't. */
  readonly blank = $derived(
    this.variables.filter((one) => !one.optional && one.default == null && !this.values.has(one.name)).map((one) => one.name),
  );

  fieldText(variable: Variable): string {
    return this.#typed.get(variable.name)?.text ?? asFieldText(this.values.get(variable.name), variable.shape);
  }

  fieldError(variable: Variable): string {
    return this.#typed.get(variable.name)?.error ?? '';
  }

  isFilled(variable: Variable): boolean {
    return this.values.has(variable.name) || this.#typed.has(variable.name);
  }

  setField(variable: Variable, text: string): void {
    const { name, shape } = variable;
    try {
      if (shape !== 'text' && text.trim() === '') this.values.delete(name);
      else this.values.set(name, parseField(text, shape));
      this.#typed.set(name, { text, error: '' });
      this.#changed();
    } catch (cause) {
      // The last value that could be read goes on being used.
      this.#typed.set(name, { text, error: cause instanceof Error ? cause.message : String(cause) });
    }
  }

  clearField(variable: Variable): void {
    this.values.delete(variable.name);
    this.#typed.delete(variable.name);
    this.#changed();
  }

  chooseInput(name: string): void {
    const input = this.inputs.find((one) => one.name === name);
    if (!input) return;
    this.#fill(input);
    this.#changed();
  }

  /** Saves the form under a name. Null when it worked. */
  async saveInput(name: string, params = this.params()): Promise<Failure | null> {
    const key = this.key;
    if (!key) return null;
    try {
      await this.#client.call('input/save', { ...at(key), name, params });
      await this.#readInputs(key);
      this.chosenInput = name;
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Deletes a saved input and returns it, for an undo. */
  async deleteInput(name: string): Promise<SavedInput | null> {
    const key = this.key;
    const input = this.inputs.find((one) => one.name === name);
    if (!key || !input) return null;
    await this.#client.call('input/delete', { ...at(key), name });
    if (this.chosenInput === name) this.chosenInput = '';
    await this.#readInputs(key);
    return input;
  }

  #changed(): void {
    this.edition += 1;
    this.#keep.touch();
    this.#onchange();
  }

  #fill(input: SavedInput): void {
    this.values.clear();
    this.#typed.clear();
    for (const [name, value] of Object.entries(input.params)) this.values.set(name, value);
    this.chosenInput = input.name;
    this.edition += 1;
  }

  async #readInputs(key: FormKey): Promise<void> {
    try {
      const { inputs } = await this.#client.call('input/list', at(key));
      if (this.key === key) this.inputs = inputs;
    } catch {
      // Without saved inputs the form is empty; the preview itself says what is wrong.
    }
  }

  /** Inputs were changed elsewhere: by another window, or because a variable has another name now. */
  async #readAgain(key: FormKey): Promise<void> {
    const { edition } = this;
    await this.#readInputs(key);
    // What is typed here meanwhile is newer.
    const typing = this.edition !== edition || this.#keep.waiting || this.#keeping > 0 || this.broken.length > 0;
    const last = this.inputs.find((input) => input.name === '');
    if (this.key !== key || typing || !last || sameValues(last.params, this.params())) return;
    const chosen = this.chosenInput;
    this.#fill(last);
    this.chosenInput = chosen;
    this.#onchange();
  }

  async #keepLast(): Promise<void> {
    const key = this.key;
    if (!key) return;
    this.#keeping += 1;
    try {
      await this.#client.call('input/save', { ...at(key), name: '', params: this.params() });
    } catch {
      // The values stay in the form; the next change sends them again.
    } finally {
      this.#keeping -= 1;
    }
  }
}

/** The order of names means nothing: the core has one of its own. */
function sameValues(one: Params, other: Params): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other && JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

const at = ({ scope, skillId, path }: FormKey): { skill: string; scope: Scope; path: string } => ({ skill: skillId, scope, path });
