import { type Client, Deadline } from '$lib/api';
import type { Params } from '$lib/api/generated';
import { type FormKey, wireKey } from './formKey';

const DELAY_MS = 350;

/** Saves the values of a form as the last used ones, while they are typed. */
export class InputAutosave {
  /** Saves that are under way. */
  #saving = 0;
  /** Resolves once every save so far is done. One follows the other, so that the last values stay. */
  #saved: Promise<void> = Promise.resolve();
  readonly #typed = new Deadline(DELAY_MS, () => this.#save());
  readonly #client: Client;
  readonly #current: () => { key: FormKey; params: Params } | null;

  constructor(client: Client, current: () => { key: FormKey; params: Params } | null) {
    this.#client = client;
    this.#current = current;
  }

  /** Whether values aren’t stored yet. */
  get pending(): boolean {
    return this.#typed.waiting || this.#saving > 0;
  }

  touch(): void {
    this.#typed.touch();
  }

  /** Saves without delay, and resolves once the values are stored. */
  flush(): Promise<void> {
    this.#typed.flush();
    return this.#saved;
  }

  #save(): void {
    const current = this.#current();
    if (!current) return;
    const { key, params } = current;
    this.#saving += 1;
    this.#saved = this.#saved.then(async () => {
      try {
        await this.#client.call('input/save', { ...wireKey(key), name: '', params });
      } catch {
        // The values stay in the form; the next change sends them again.
      } finally {
        this.#saving -= 1;
      }
    });
  }
}
