import { type Client, Latest } from '$lib/api';
import type { Page } from '$lib/api/generated';

export interface PageFilters {
  /** Empty for any. */
  type: string;
  /** Empty for any. */
  tag: string;
  order: Page.PageOrder;
}

const NO_FILTERS: PageFilters = { type: '', tag: '', order: 'title' };

export interface PageFilterEvents {
  typed: () => void;
  changed: () => void;
}

/** What the list of pages is narrowed by: a search text, a type and a tag. */
export class PageFilter {
  query = $state('');
  values = $state.raw<PageFilters>(NO_FILTERS);
  /** The types and tags that can be chosen. */
  facets = $state.raw<Page.PageFacets | null>(null);
  readonly searching = $derived(this.query.trim() !== '');
  readonly narrowed = $derived(this.searching || this.values.type !== '' || this.values.tag !== '');
  readonly #client: Client;
  readonly #events: PageFilterEvents;
  readonly #facets = new Latest(() => this.#readFacets());

  constructor(client: Client, events: PageFilterEvents) {
    this.#client = client;
    this.#events = events;
  }

  type(query: string): void {
    this.query = query;
    this.#events.typed();
  }

  change(change: Partial<PageFilters>): void {
    this.values = { ...this.values, ...change };
    this.#events.changed();
  }

  clear(): void {
    this.change({ type: '', tag: '' });
    this.type('');
  }

  reset(): void {
    this.query = '';
    this.values = NO_FILTERS;
    this.facets = null;
  }

  refreshFacets(): void {
    this.#facets.ask();
  }

  async #readFacets(): Promise<void> {
    const { workspace } = this.#client;
    try {
      const facets = await this.#client.call('page/facets', {});
      if (workspace === this.#client.workspace) this.facets = facets;
    } catch {
      // Without facets the list can’t be narrowed by type and tag; the list itself reports what is wrong.
    }
  }
}
