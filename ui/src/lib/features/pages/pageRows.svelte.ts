import { type Client, SparseList } from '$lib/api';
import type { Failure, Page } from '$lib/api/generated';
import type { Indexing } from './indexing.svelte';
import type { PageFilter } from './pageFilter.svelte';
import type { PageSearch } from './pageSearch.svelte';

/** A search hit, or a page of the full list. */
export type PageRow = Page.Hit | Page.PageSummary;
export const isHit = (row: PageRow): row is Page.Hit => 'snippet' in row;

/** The listed pages: the search hits while there is a search text, else all pages that pass the filter. */
export class PageRows {
  readonly #list: SparseList<Page.PageSummary>;
  readonly #filter: PageFilter;
  readonly #search: PageSearch;

  constructor(client: Client, indexing: Indexing, filter: PageFilter, search: PageSearch) {
    this.#filter = filter;
    this.#search = search;
    this.#list = new SparseList((offset, limit) => {
      const { type, tag, order } = filter.values;
      const call = client.call('page/list', { filter: { ...(type === '' ? {} : { type }), ...(tag === '' ? {} : { tag }), order }, offset, limit });
      // Only the first call has to wait for the index.
      return (this.#list.loaded ? call : indexing.during(call)).then(({ pages, total }) => ({ rows: pages, total }));
    });
  }

  get total(): number {
    return this.#filter.searching ? (this.#search.hits?.length ?? 0) : this.#list.total;
  }

  get loaded(): boolean {
    return this.#filter.searching ? this.#search.hits !== null : this.#list.loaded;
  }

  get failure(): Failure | null {
    return this.#filter.searching ? this.#search.failure : this.#list.failure;
  }

  /** Changes with each new list, which is shown from its start. */
  get edition(): string {
    return this.#filter.searching ? `search ${this.#search.edition}` : `list ${this.#list.edition}`;
  }

  /** Null for a row that isn’t loaded. */
  at(index: number): PageRow | null {
    return this.#filter.searching ? (this.#search.hits?.[index] ?? null) : this.#list.at(index);
  }

  /** The index of a loaded page, or -1. */
  indexOf(slug: string): number {
    return this.#filter.searching ? (this.#search.hits?.findIndex((hit) => hit.slug === slug) ?? -1) : this.#list.findIndex((page) => page.slug === slug);
  }

  /** Loads the rows from `first` up to `last`, excluded. */
  show(first: number, last: number): void {
    if (!this.#filter.searching) this.#list.show(first, last);
  }

  load(index: number): Promise<PageRow | null> {
    return this.#filter.searching ? Promise.resolve(this.at(index)) : this.#list.load(index);
  }

  /** Loads another list. */
  restart(): void {
    this.#list.restart();
  }

  refresh(): void {
    if (this.#list.loaded) this.#list.refresh();
    else this.#list.restart();
  }

  clear(): void {
    this.#list.clear();
  }
}
