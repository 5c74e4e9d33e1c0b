import type { Client, SparseList } from '$lib/api';
import type { Library } from '$lib/api/generated';
import type { LibraryCursor } from './libraryCursor.svelte';
import type { LibraryFilter } from './libraryFilter.svelte';
import { wireQuery } from './query';

/** A longer pause in typing starts a new prefix. */
const PAUSE_MS = 800;

interface Prefix {
  text: string;
  /** The time of its last key in milliseconds. */
  typedAt: number;
  /** The cursor’s moves so far. Another one ends the prefix. */
  moves: number;
}

/** Moves the cursor to the titles that begin with the typed letters. */
export class TitleSearch {
  #prefix: Prefix | null = null;
  #pending = Promise.resolve();
  readonly #client: Client;
  readonly #filter: LibraryFilter;
  readonly #list: SparseList<Library.LibraryRow>;
  readonly #cursor: LibraryCursor;
  readonly #failed: (what: string, cause: unknown) => void;

  constructor(client: Client, filter: LibraryFilter, list: SparseList<Library.LibraryRow>, cursor: LibraryCursor, failed: (what: string, cause: unknown) => void) {
    this.#client = client;
    this.#filter = filter;
    this.#list = list;
    this.#cursor = cursor;
    this.#failed = failed;
  }

  /** Whether a key pressed at that time extends the prefix. Uses the time of the key event: a busy window handles it late. */
  isTyping(at: number): boolean {
    return this.#prefix !== null && this.#isCurrent(this.#prefix) && at - this.#prefix.typedAt < PAUSE_MS;
  }

  type(letter: string, at: number): Promise<void> {
    const prefix = this.#prefix && this.isTyping(at) ? this.#prefix : { text: '', typedAt: at, moves: this.#cursor.moves };
    const text = prefix.text + letter;
    [this.#prefix, prefix.text, prefix.typedAt] = [prefix, text, at];
    // One after the other, so that the result of a shorter prefix never replaces that of a longer one.
    this.#pending = this.#pending.then(() => this.#moveToTitle(prefix, text));
    return this.#pending;
  }

  async #moveToTitle(prefix: Prefix, text: string): Promise<void> {
    const letter = text.slice(0, 1);
    // The same letter again goes to the next title.
    const same = text === letter.repeat(text.length);
    // Superseded by more letters or another move.
    if (!this.#isCurrent(prefix) || (!same && prefix.text !== text)) return;
    const { index: from } = this.#cursor;
    const after = same || from < 0 ? from : from - 1;
    try {
      const { index } = await this.#client.call('library/seek', { query: wireQuery(this.#filter.values), prefix: same ? letter : text, after: after < 0 ? null : after });
      if (index === null) return;
      await this.#list.load(index);
      if (!this.#isCurrent(prefix)) return;
      this.#cursor.moveTo(index);
      prefix.moves = this.#cursor.moves;
    } catch (cause) {
      this.#failed('Couldn’t jump to that title', cause);
    }
  }

  #isCurrent(prefix: Prefix): boolean {
    return this.#prefix === prefix && prefix.moves === this.#cursor.moves;
  }
}
