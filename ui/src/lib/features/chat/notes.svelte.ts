import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, Deadline } from '$lib/api';
import type { Failure, Note, Scope } from '$lib/api/generated';

const SAVE_AFTER_MS = 350;

interface TypedNote {
  scope: Scope;
  text: string;
}

/** The notes while they are edited. They are saved soon after each edit. */
export class Notes {
  notes = $state.raw<Note.UserNotes | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  /** What isn’t stored. A refused text is kept while the window lives, also while another workspace is open. */
  readonly #typed = new SvelteMap<string, TypedNote>();
  readonly #soon = new Deadline(SAVE_AFTER_MS, () => void this.save());

  #saving: Promise<void> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
  }

  async load(): Promise<void> {
    try {
      const notes = await this.#client.call('note/get', {});
      this.notes = notes;
      if (this.#typed.size === 0) this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  /** Reads the notes again if they were loaded: another workspace is open. */
  reset(): void {
    if (this.notes === null) return;
    this.notes = null;
    void this.load();
  }

  /** The text of a note as it was typed; null until the notes are loaded, or without a workspace. */
  text(scope: Scope): string | null {
    return this.#typed.get(this.#key(scope))?.text ?? this.notes?.[scope] ?? null;
  }

  type(scope: Scope, text: string): void {
    this.#typed.set(this.#key(scope), { scope, text });
    this.#soon.touch();
  }

  /** Stores what was typed. A text that can’t be stored stays, with the reason. */
  save(): Promise<void> {
    this.#soon.cancel();
    // One at a time: the core answers calls side by side, and an older text could be stored last.
    return (this.#saving = this.#saving.then(() => this.#store()));
  }

  async #store(): Promise<void> {
    for (const [key, typed] of [...this.#typed]) {
      const { scope, text } = typed;
      // The note of a workspace that isn’t open waits until it is.
      if (key !== this.#key(scope)) continue;
      try {
        const notes = await this.#client.call('note/set', { scope, text });
        if (this.#typed.get(key) === typed) this.#typed.delete(key);
        this.notes = notes;
        if (this.#typed.size === 0) this.failure = null;
      } catch (cause) {
        this.failure = asFailure(cause);
      }
    }
  }

  #key(scope: Scope): string {
    return scope === 'workspace' ? `workspace:${this.#client.workspace ?? ''}` : scope;
  }
}
