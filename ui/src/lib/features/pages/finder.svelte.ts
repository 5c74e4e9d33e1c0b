import { asFailure, type Client, Debounce, Latest, Sparse } from '$lib/api';
import { formatNumber } from '$lib/domain';
import type { Failure, Hit, PageFacets, PageOrder, PageSummary } from '$lib/api/generated';
import type { Indexing } from './indexing.svelte';

export interface PageFilters {
  type: string;
  tag: string;
  order: PageOrder;
}

export const NO_FILTERS: PageFilters = { type: '', tag: '', order: 'title' };

/** A row of the list: a page that was found, or one of all. */
export type PageRow = Hit | PageSummary;
export const isHit = (row: PageRow): row is Hit => 'snippet' in row;

const TYPE_MS = 120;
const HITS = 200;
/** A filter takes hits away, so more of them are asked for. */
const FILTERED_HITS = 1_000;

/** The list of pages: all of them, or what was searched for; narrowed by type and tag. */
export class Finder {
  query = $state('');
  filters = $state.raw<PageFilters>(NO_FILTERS);
  facets = $state.raw<PageFacets | null>(null);
  /** The page that is shown. */
  selected = $state.raw<string | null>(null);
  /** The row that the arrow keys are at; -1 for none. */
  cursor = $state(-1);
  readonly #list: Sparse<PageSummary>;
  #hits = $state.raw<Hit[] | null>(null);
  #searchFailure = $state.raw<Failure | null>(null);
  readonly searching = $derived(this.query.trim() !== '');
  readonly narrowed = $derived(this.searching || this.filters.type !== '' || this.filters.tag !== '');
  readonly #found = $derived.by(() => {
    const [type, tag] = [this.filters.type.toLowerCase(), this.filters.tag.toLowerCase()];
    return (this.#hits ?? []).filter((hit) => (type === '' || hit.type?.toLowerCase() === type) && (tag === '' || hit.tags.includes(tag)));
  });
  readonly total = $derived.by(() => (this.searching ? this.#found.length : this.#list.total));
  /** "12 matches"; null while nothing was searched for and answered. */
  readonly matches = $derived.by(() => {
    if (!this.searching || this.#hits === null) return null;
    const [count, most] = [this.#found.length, this.#hits.length === HITS || this.#hits.length === FILTERED_HITS];
    return `${formatNumber(count)}${most ? ' or more' : ''} ${count === 1 && !most ? 'match' : 'matches'}`;
  });
  /** Another one is another list, to be looked at from its beginning. */
  readonly edition = $derived.by(() => (this.searching ? `search ${this.#searches}` : `list ${this.#list.edition}`));
  readonly loaded = $derived.by(() => (this.searching ? this.#hits !== null : this.#list.loaded));
  readonly failure = $derived.by(() => (this.searching ? this.#searchFailure : this.#list.failure));
  /** Goes up whenever another search is wanted: an answer to an older one is dropped. */
  #wanted = 0;
  #answered = 0;
  #searches = $state(0);
  readonly #client: Client;
  readonly #show: (slug: string) => void;
  readonly #search = new Latest(() => this.#readHits());
  readonly #facets = new Latest(() => this.#readFacets());
  readonly #typed = new Debounce(TYPE_MS, () => this.#search.ask());

  constructor(client: Client, indexing: Indexing, show: (slug: string) => void) {
    this.#client = client;
    this.#show = show;
    this.#list = new Sparse((offset, limit) => {
      const call = client.call('page/list', { filter: this.#wire(), offset, limit });
      // Only the first call has to wait for the index.
      return (this.#list.loaded ? call : indexing.during(call)).then(({ pages, total }) => ({ rows: pages, total }));
    });
  }

  /** Reads what is in sight again, or for the first time. */
  refresh(): void {
    if (this.searching) this.#search.ask();
    if (this.#list.loaded) this.#list.refresh();
    else this.#list.restart();
    this.#facets.ask();
  }

  /** Another workspace is open. */
  reset(): void {
    this.#wanted += 1;
    this.#typed.cancel();
    this.query = '';
    this.filters = NO_FILTERS;
    this.facets = null;
    this.selected = null;
    this.cursor = -1;
    this.#hits = null;
    this.#list.clear();
  }

  /** Reads the list of the workspace that is open. */
  start(): void {
    this.#list.restart();
    this.#facets.ask();
  }

  look(first: number, last: number): void {
    if (!this.searching) this.#list.look(first, last);
  }

  row(index: number): PageRow | null {
    return this.searching ? (this.#found[index] ?? null) : this.#list.at(index);
  }

  type(query: string): void {
    this.query = query;
    this.cursor = -1;
    this.#wanted += 1;
    if (query.trim() === '') {
      this.#typed.cancel();
      this.#hits = null;
      this.#searchFailure = null;
    } else {
      this.#typed.touch();
    }
  }

  filter(change: Partial<PageFilters>): void {
    this.filters = { ...this.filters, ...change };
    this.cursor = -1;
    this.#list.restart();
    if (this.searching) {
      this.#wanted += 1;
      this.#search.ask();
    }
  }

  clear(): void {
    this.filter({ type: '', tag: '' });
    this.type('');
  }

  /** A page is shown: where it is in the list, the arrow keys go on. */
  select(slug: string | null): void {
    this.selected = slug;
    const at = this.#indexOf(slug);
    if (at >= 0) this.cursor = at;
  }

  async step(by: number): Promise<void> {
    if (this.total === 0) return;
    // The list may have moved under the cursor.
    const known = this.#indexOf(this.selected);
    const from = known >= 0 ? known : this.cursor;
    const at = from < 0 ? (by > 0 ? 0 : this.total - 1) : Math.max(0, Math.min(this.total - 1, from + by));
    await this.go(at);
  }

  /** Shows the page of a row. */
  async go(at: number): Promise<void> {
    this.cursor = at;
    const row = this.searching ? this.row(at) : await this.#list.reach(at);
    if (row && this.cursor === at) this.#show(row.slug);
  }

  /** Shows the best hit, once the answer for what was typed is there. */
  async first(): Promise<void> {
    if (this.searching && this.#answered !== this.#wanted) {
      this.#typed.cancel();
      await this.#readHits();
    }
    await this.go(0);
  }

  #indexOf(slug: string | null): number {
    if (slug === null) return -1;
    return this.searching ? this.#found.findIndex((hit) => hit.slug === slug) : this.#list.find((page) => page.slug === slug);
  }

  #wire(): { type?: string; tag?: string; order: PageOrder } {
    const { type, tag, order } = this.filters;
    return { ...(type === '' ? {} : { type }), ...(tag === '' ? {} : { tag }), order };
  }

  async #readHits(): Promise<void> {
    const [wanted, query] = [this.#wanted, this.query.trim()];
    if (query === '') return;
    const limit = this.filters.type === '' && this.filters.tag === '' ? HITS : FILTERED_HITS;
    try {
      const { hits } = await this.#client.call('page/search', { query, limit });
      if (wanted !== this.#wanted) return;
      if (this.#answered !== wanted) this.#searches += 1;
      this.#answered = wanted;
      this.#hits = hits;
      this.#searchFailure = null;
    } catch (cause) {
      if (wanted !== this.#wanted) return;
      this.#hits = null;
      this.#searchFailure = asFailure(cause);
    }
  }

  async #readFacets(): Promise<void> {
    const place = this.#client.workspace;
    try {
      const facets = await this.#client.call('page/facets', {});
      if (place === this.#client.workspace) this.facets = facets;
    } catch {
      // Without them the list can't be narrowed; the list itself says what is wrong.
    }
  }
}
