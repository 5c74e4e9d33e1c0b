import { skillKey, type SparseList } from '$lib/api';
import { ViewRequest } from '$lib/components';
import type { Library } from '$lib/api/generated';

/** The row that has the focus within the list. */
export class LibraryCursor {
  /** -1 for none. */
  index = $state(-1);
  /** Where a range begins; -1 for nowhere. */
  anchor = -1;
  readonly focusRequest = new ViewRequest();
  #key: string | null = null;
  #moves = 0;
  readonly #list: SparseList<Library.LibraryRow>;

  constructor(list: SparseList<Library.LibraryRow>) {
    this.#list = list;
  }

  get row(): Library.LibraryRow | null {
    return this.index < 0 ? null : this.#list.at(this.index);
  }

  /** Counts the moves: a pending search by title gives way to any other one. */
  get moves(): number {
    return this.#moves;
  }

  moveTo(index: number): void {
    this.#move(index);
    this.anchor = index;
  }

  /** Moves and keeps the anchor. */
  extendTo(index: number): void {
    if (this.anchor < 0) this.anchor = Math.max(0, this.index);
    this.#move(index);
  }

  /** Follows the skill at the cursor to its new index once the visible rows are reloaded. */
  restore(): void {
    if (this.#key !== null) {
      const index = this.#list.findIndex((row) => skillKey(row) === this.#key);
      if (index >= 0) this.index = index;
    }
    if (this.index >= this.#list.total) this.#set(this.#list.total - 1);
  }

  #move(index: number): void {
    this.#moves += 1;
    this.#set(index);
  }

  #set(index: number): void {
    this.index = index;
    const { row } = this;
    this.#key = row ? skillKey(row) : null;
  }
}
