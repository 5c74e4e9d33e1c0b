import { asFailure, type Client } from '$lib/api';
import type { Failure, Input, Params } from '$lib/api/generated';
import { type FormKey, wireKey } from './formKey';

/** The inputs that are stored for an artifact, and its examples. The one without a name has the last used values. */
export class StoredInputs {
  list = $state.raw<Input.InputEntry[]>([]);
  /** Name of the chosen input; empty for the last used values. */
  chosen = $state('');
  #key: FormKey | null = null;
  readonly #client: Client;
  readonly #onchoose: (params: Params) => void;

  constructor(client: Client, onchoose: (params: Params) => void) {
    this.#client = client;
    this.#onchoose = onchoose;
  }

  get last(): Input.InputEntry | undefined {
    return this.list.find((input) => input.name === '');
  }

  /** The values of the skill's examples. */
  get examples(): Input.InputEntry[] {
    return this.list.filter((input) => input.example !== null);
  }

  get chosenEntry(): Input.InputEntry | undefined {
    return this.list.find((input) => input.name === this.chosen && input.name !== '');
  }

  /** The first example's value of a variable. */
  sampleOf(variable: string): unknown {
    return this.examples.find((input) => variable in input.params)?.params[variable];
  }

  /** Shows the inputs of another artifact, once they are read. */
  reset(key: FormKey | null): void {
    this.#key = key;
    this.list = [];
    this.chosen = '';
  }

  /** Drops the reply when another artifact is shown meanwhile. */
  async read(key: FormKey): Promise<void> {
    try {
      const { inputs } = await this.#client.call('input/list', wireKey(key));
      if (this.#key === key) this.list = inputs;
    } catch {
      // Without stored inputs the form is empty; the preview itself reports what is wrong.
    }
  }

  choose(name: string): void {
    const input = this.list.find((one) => one.name === name);
    if (!input) return;
    this.chosen = name;
    this.#onchoose(input.params);
  }

  /** Resolves with null when it is saved. */
  async save(name: string, params: Params): Promise<Failure | null> {
    const key = this.#key;
    if (!key) return null;
    try {
      await this.#client.call('input/save', { ...wireKey(key), name, params });
      await this.read(key);
      this.chosen = name;
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Saved under the new name before the old one is deleted. Resolves with null when it is renamed. */
  async rename(from: string, to: string): Promise<Failure | null> {
    const key = this.#key;
    const input = this.list.find((one) => one.name === from);
    if (!key || !input || from === to) return null;
    if (this.list.some((one) => one.name === to)) return { code: 'exists', message: `the input “${to}” already exists`, hint: 'Choose another name.', fields: null, requestId: '' };
    const failure = await this.save(to, input.params);
    if (failure) return failure;
    try {
      await this.#client.call('input/delete', { ...wireKey(key), name: from });
      await this.read(key);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Returns the deleted input, for an undo. */
  async delete(name: string): Promise<Input.InputEntry | null> {
    const key = this.#key;
    const input = this.list.find((one) => one.name === name);
    if (!key || !input) return null;
    await this.#client.call('input/delete', { ...wireKey(key), name });
    if (this.chosen === name) this.chosen = '';
    await this.read(key);
    return input;
  }
}
