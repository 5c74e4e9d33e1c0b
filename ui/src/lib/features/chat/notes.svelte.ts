import { asFailure, type Client, Debounce } from '$lib/api';
import type { Failure, Note, Scope } from '$lib/api/generated';

const SAVE_AFTER_MS = 600;

/** The notes while they are edited. They are saved soon after each edit. */
export class Notes {
  notes = $state.raw<Note.UserNotes | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #typed = new Map<Scope, string>();
  readonly #soon = new Debounce(SAVE_AFTER_MS, () => void this.save());

  constructor(client: Client) {
    this.#client = client;
  }

  async load(): Promise<void> {
    try {
      const notes = await this.#client.call('note/get', {});
      // What is being typed stays.
      if (this.#typed.size > 0) return;
      this.notes = notes;
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  type(scope: Scope, text: string): void {
    this.#typed.set(scope, text);
    this.#soon.touch();
  }

  /** Stores what was typed. A text that can’t be stored stays, with the reason. */
  async save(): Promise<void> {
    this.#soon.cancel();
    for (const [scope, text] of [...this.#typed]) {
      try {
        const notes = await this.#client.call('note/set', { scope, text });
        if (this.#typed.get(scope) === text) this.#typed.delete(scope);
        this.notes = notes;
        this.failure = null;
      } catch (cause) {
        this.failure = asFailure(cause);
      }
    }
  }
}
