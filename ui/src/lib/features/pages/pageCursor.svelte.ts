import type { PageRows } from './pageRows.svelte';

/** The current row of the list, and the page that is shown. */
export class PageCursor {
  /** -1 for none. */
  index = $state(-1);
  /** Slug of the shown page, which may not be in the list. */
  shown = $state.raw<string | null>(null);
  readonly #rows: PageRows;
  readonly #open: (slug: string) => void;

  constructor(rows: PageRows, open: (slug: string) => void) {
    this.#rows = rows;
    this.#open = open;
  }

  /** Moves to the shown page if it is listed. */
  follow(slug: string | null): void {
    this.shown = slug;
    const index = this.#shownIndex();
    if (index >= 0) this.index = index;
  }

  async step(by: number): Promise<void> {
    const { total } = this.#rows;
    if (total === 0) return;
    // The list may have changed under the cursor.
    const shown = this.#shownIndex();
    const from = shown >= 0 ? shown : this.index;
    await this.open(from < 0 ? (by > 0 ? 0 : total - 1) : Math.max(0, Math.min(total - 1, from + by)));
  }

  /** Moves to a row and opens its page. */
  async open(index: number): Promise<void> {
    this.index = index;
    const row = await this.#rows.load(index);
    if (row && this.index === index) this.#open(row.slug);
  }

  #shownIndex(): number {
    return this.shown === null ? -1 : this.#rows.indexOf(this.shown);
  }
}
