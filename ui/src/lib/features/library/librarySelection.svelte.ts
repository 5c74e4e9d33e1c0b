import { SvelteMap } from 'svelte/reactivity';
import { type Catalog, type Client, type SkillKey, skillKey, type SparseList } from '$lib/api';
import type { Library } from '$lib/api/generated';
import type { LibraryCursor } from './libraryCursor.svelte';
import type { LibraryFilter } from './libraryFilter.svelte';
import { wireQuery } from './query';

/** The selected skills, which may be in rows that aren't loaded. */
export class LibrarySelection {
  readonly #keys = new SvelteMap<string, SkillKey>();
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #filter: LibraryFilter;
  readonly #list: SparseList<Library.LibraryRow>;
  readonly #cursor: LibraryCursor;
  readonly #failed: (what: string, cause: unknown) => void;

  constructor(
    client: Client,
    catalog: Catalog,
    filter: LibraryFilter,
    list: SparseList<Library.LibraryRow>,
    cursor: LibraryCursor,
    failed: (what: string, cause: unknown) => void,
  ) {
    this.#client = client;
    this.#catalog = catalog;
    this.#filter = filter;
    this.#list = list;
    this.#cursor = cursor;
    this.#failed = failed;
  }

  get size(): number {
    return this.#existing.length;
  }

  has(row: SkillKey): boolean {
    return this.#keys.has(skillKey(row));
  }

  /** The targets of an action: the selection, or the row at the cursor. */
  get targets(): SkillKey[] {
    const existing = this.#existing;
    if (existing.length > 0) return existing;
    const { row } = this.#cursor;
    return row ? [{ scope: row.scope, id: row.id }] : [];
  }

  /** Moves the cursor. The selection stays. */
  moveTo(index: number): void {
    if (this.#list.total > 0) this.#cursor.moveTo(this.#clamped(index));
  }

  /** Moves the cursor and selects everything from the anchor to it. */
  async extendTo(index: number): Promise<void> {
    if (this.#list.total === 0) return;
    this.#cursor.extendTo(this.#clamped(index));
    await this.#selectRange(this.#cursor.anchor, this.#cursor.index);
  }

  pick(index: number): void {
    const row = this.#moveToRow(index);
    if (!row) return;
    this.#keys.clear();
    this.#add(row);
  }

  toggle(index: number): void {
    const row = this.#moveToRow(index);
    if (row && !this.#keys.delete(skillKey(row))) this.#add(row);
  }

  async selectAll(): Promise<void> {
    await this.#selectRange(0, this.#list.total - 1);
  }

  deselect(keys: readonly SkillKey[]): void {
    for (const key of keys) this.#keys.delete(skillKey(key));
  }

  clear(): void {
    this.#keys.clear();
    this.#cursor.anchor = this.#cursor.index;
  }

  /** Without skills that were deleted elsewhere since they were selected. */
  get #existing(): SkillKey[] {
    const keys = [...this.#keys.values()];
    return this.#catalog.complete ? keys.filter((key) => this.#catalog.summary(key) !== undefined) : keys;
  }

  #moveToRow(index: number): Library.LibraryRow | null {
    this.#cursor.moveTo(index);
    return this.#list.at(index);
  }

  #add({ scope, id }: SkillKey): void {
    this.#keys.set(skillKey({ scope, id }), { scope, id });
  }

  #clamped(index: number): number {
    return Math.max(0, Math.min(this.#list.total - 1, index));
  }

  async #selectRange(one: number, other: number): Promise<void> {
    const [first, last] = [Math.min(one, other), Math.max(one, other)];
    try {
      const { keys } = await this.#client.call('library/keys', { query: wireQuery(this.#filter.values), offset: first, limit: last - first + 1 });
      this.#keys.clear();
      for (const key of keys) this.#keys.set(skillKey(key), key);
    } catch (cause) {
      this.#failed('Couldn’t select', cause);
    }
  }
}
