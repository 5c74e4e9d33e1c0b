import type { Client } from '$lib/api';
import type { Indexing } from './indexing.svelte';
import { PageCursor } from './pageCursor.svelte';
import { PageFilter } from './pageFilter.svelte';
import { PageRows } from './pageRows.svelte';
import { PageSearch } from './pageSearch.svelte';

/** The list of pages: all of them or search hits, filtered by type and tag. */
export class Finder {
  readonly filter: PageFilter;
  readonly search: PageSearch;
  readonly rows: PageRows;
  readonly cursor: PageCursor;

  constructor(client: Client, indexing: Indexing, open: (slug: string) => void) {
    this.filter = new PageFilter(client, {
      typed: () => {
        this.cursor.index = -1;
        this.search.typed();
      },
      changed: () => {
        this.cursor.index = -1;
        this.rows.restart();
        this.search.restart();
      },
    });
    this.search = new PageSearch(client, this.filter);
    this.rows = new PageRows(client, indexing, this.filter, this.search);
    this.cursor = new PageCursor(this.rows, open);
  }

  /** Loads the list of the open workspace. */
  start(): void {
    this.rows.restart();
    this.filter.refreshFacets();
  }

  /** Loads or reloads the visible rows. */
  refresh(): void {
    this.search.refresh();
    this.rows.refresh();
    this.filter.refreshFacets();
  }

  /** Another workspace is open. */
  reset(): void {
    this.filter.reset();
    this.search.reset();
    this.rows.clear();
    this.cursor.index = -1;
    this.cursor.shown = null;
  }

  /** Opens the best hit of the typed text. */
  async openFirst(): Promise<void> {
    await this.search.flush();
    await this.cursor.open(0);
  }
}
