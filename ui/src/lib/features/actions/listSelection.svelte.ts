/** How a click or key changes the selection: selects one row, extends the range to it, or adds or removes it. */
export type SelectionMode = 'only' | 'extend' | 'toggle';

/** The cursor and the selected rows of a list. The row at the cursor is selected, too. */
export class ListSelection<T> {
  /** The key of the row at the cursor. */
  cursor = $state.raw<string | null>(null);
  readonly #rows: () => readonly T[];
  readonly #keyOf: (row: T) => string;
  readonly #onmove: (row: T | null) => void;
  #keys = $state.raw<ReadonlySet<string>>(new Set());
  /** Where a range begins. */
  #anchor = 0;
  /** -1 for none. */
  readonly index = $derived.by(() => this.#rows().findIndex((row) => this.#keyOf(row) === this.cursor));
  readonly rows = $derived.by(() => this.#rows().filter((row) => this.has(row)));

  /** `rows` are the shown ones. `onmove` is called with the row at the cursor when the cursor moves to another one. */
  constructor(rows: () => readonly T[], keyOf: (row: T) => string, onmove: (row: T | null) => void) {
    this.#rows = rows;
    this.#keyOf = keyOf;
    this.#onmove = onmove;
  }

  has(row: T): boolean {
    return this.#keys.has(this.#keyOf(row));
  }

  go(index: number, mode: SelectionMode = 'only'): void {
    const rows = this.#rows();
    const row = rows[index];
    if (row === undefined) {
      [this.cursor, this.#keys] = [null, new Set()];
      this.#onmove(null);
      return;
    }
    const key = this.#keyOf(row);
    if (mode === 'extend') {
      const [first, last] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
      this.#keys = new Set(rows.slice(first, last + 1).map(this.#keyOf));
    } else {
      this.#anchor = index;
      const others = mode === 'toggle' ? [...this.#keys].filter((one) => one !== key) : [];
      const remove = mode === 'toggle' && this.#keys.has(key) && others.length > 0;
      this.#keys = new Set(remove ? others : [...others, key]);
    }
    if (key === this.cursor) return;
    this.cursor = key;
    this.#onmove(row);
  }

  selectAll(): void {
    this.#keys = new Set(this.#rows().map(this.#keyOf));
  }

  /** Deselects rows that no longer exist. */
  retain(rows: readonly T[]): void {
    const existing = new Set(rows.map(this.#keyOf));
    this.#keys = new Set([...this.#keys].filter((key) => existing.has(key)));
  }
}
