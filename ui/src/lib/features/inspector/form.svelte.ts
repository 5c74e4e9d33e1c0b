import type { Client, ChangeFeed } from '$lib/api';
import type { Params } from '$lib/api/generated';
import { FormFields } from './formFields.svelte';
import type { FormKey } from './formKey';
import { InputAutosave } from './inputAutosave';
import { StoredInputs } from './storedInputs.svelte';

/** The values that an artifact or a skill is run with. The last used ones are stored. */
export class Form {
  readonly fields: FormFields;
  readonly inputs: StoredInputs;
  /** Counts changes of values. */
  edition = $state(0);
  /** Resolves once the values of the current key are read. */
  ready: Promise<unknown> = Promise.resolve();
  #key = $state.raw<FormKey | null>(null);
  readonly #autosave: InputAutosave;
  readonly #onchange: () => void;

  constructor(client: Client, feed: ChangeFeed, onchange: () => void = () => undefined) {
    this.#onchange = onchange;
    this.fields = new FormFields(() => this.#edited());
    this.inputs = new StoredInputs(client, (params) => {
      this.#fill(params);
      this.#changed();
    });
    this.#autosave = new InputAutosave(client, () => (this.#key ? { key: this.#key, params: this.fields.params() } : null));
    feed.on('input', ({ ids }) => {
      // An id is a skill’s slug and the file’s path; for a renamed skill the slug alone.
      const key = this.#key;
      if (key && (ids.length === 0 || ids.some((id) => !id.includes('/') || id.endsWith(`/${key.path}`)))) void this.#reload(key);
    });
  }

  /** Shows the last used values of another key. False when another one was asked for meanwhile. */
  follow(key: FormKey | null): Promise<boolean> {
    const followed = this.#follow(key);
    this.ready = followed;
    return followed;
  }

  isOf({ scope, skillId, path }: FormKey): boolean {
    const key = this.#key;
    return key?.scope === scope && key.skillId === skillId && key.path === path;
  }

  /** Saves what was typed without delay, and resolves once it is stored. */
  async flush(): Promise<void> {
    await this.#autosave.flush();
  }

  async #follow(key: FormKey | null): Promise<boolean> {
    const saved = this.#autosave.flush();
    this.#key = key;
    this.fields.variables = [];
    this.fields.fill({});
    this.inputs.reset(key);
    if (!key) return true;
    // What was just typed may be for this key, too.
    await saved;
    await this.inputs.read(key);
    if (this.#key !== key) return false;
    this.#start();
    return true;
  }

  /** The last used values, else those of the first example: they are not stored before they are changed. */
  #start(): void {
    const { last, examples } = this.inputs;
    const first = last ?? examples[0];
    if (!first) return;
    this.inputs.chosen = first.name;
    this.#fill(first.params);
  }

  #edited(): void {
    // An example with another value isn't that example.
    if (this.inputs.chosenEntry?.example != null) this.inputs.chosen = '';
    this.#changed();
  }

  #changed(): void {
    this.edition += 1;
    this.#autosave.touch();
    this.#onchange();
  }

  #fill(params: Params): void {
    this.fields.fill(params);
    this.edition += 1;
  }

  /** Stored inputs changed elsewhere: in another window, or by renaming a variable. */
  async #reload(key: FormKey): Promise<void> {
    const { edition } = this;
    await this.inputs.read(key);
    // What was typed here meanwhile is newer.
    const typing = this.edition !== edition || this.#autosave.pending || this.fields.broken.length > 0;
    const { last } = this.inputs;
    if (this.#key !== key || typing || !last || haveSameValues(last.params, this.fields.params())) return;
    this.#fill(last.params);
    this.#onchange();
  }
}

/** Ignores the order of names, which the core doesn’t keep. */
function haveSameValues(one: Params, other: Params): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other && JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
