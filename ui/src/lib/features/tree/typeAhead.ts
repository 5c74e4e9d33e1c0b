import type { Row } from './rows';

/** A longer pause starts a new prefix. */
const PAUSE_MS = 700;

/** Finds rows by the first letters of their labels. */
export class TypeAhead {
  #prefix = '';
  #lastKeyAt = 0;

  /** Whether a key at that time, in milliseconds, extends the typed prefix. */
  isTyping(now: number): boolean {
    return this.#prefix !== '' && now - this.#lastKeyAt < PAUSE_MS;
  }

  /** The next row with the typed prefix. The same letter again selects the next match. */
  type(letter: string, now: number, rows: readonly Row[], current: number): Row | null {
    const before = now - this.#lastKeyAt > PAUSE_MS ? '' : this.#prefix;
    const again = before === letter;
    this.#prefix = again ? letter : before + letter;
    this.#lastKeyAt = now;
    const prefix = this.#prefix.toLowerCase();
    const start = before === '' || again ? current + 1 : Math.max(current, 0);
    for (let step = 0; step < rows.length; step += 1) {
      const row = rows[(start + step) % rows.length];
      if (row && row.kind !== 'note' && row.label.toLowerCase().startsWith(prefix)) return row;
    }
    return null;
  }
}
