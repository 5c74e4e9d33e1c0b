import { type Catalog, type Client, Deadline, Debounce, type ChangeFeed, type Settings, SparseList } from '$lib/api';
import type { Library } from '$lib/api/generated';
import { LibraryCursor } from './libraryCursor.svelte';
import { LibraryFilter } from './libraryFilter.svelte';
import { LibraryLayout } from './libraryLayout.svelte';
import { LibrarySelection } from './librarySelection.svelte';
import { LibraryStats } from './libraryStats.svelte';
import { type Filters, readFilters, wireQuery } from './query';
import { TitleSearch } from './titleSearch';

const KEY = 'ui.library';
/** Changes come in bursts: the visible rows are reloaded at most this often. */
const SKILLS_INTERVAL_MS = 200;
/** Runs change numbers only. */
const RUNS_INTERVAL_MS = 1_000;
const TYPING_PAUSE_MS = 120;
const SAVE_DELAY_MS = 250;

/** The list of skills. It follows changes while it is shown. */
export class LibraryState {
  readonly list: SparseList<Library.LibraryRow>;
  readonly filter: LibraryFilter;
  readonly stats: LibraryStats;
  readonly cursor: LibraryCursor;
  readonly selection: LibrarySelection;
  readonly titleSearch: TitleSearch;
  readonly layout: LibraryLayout;
  #restored = false;
  #active = false;
  readonly #settings: Settings;
  readonly #typed = new Debounce(TYPING_PAUSE_MS, () => this.#restart());
  readonly #skillsChanged = new Deadline(SKILLS_INTERVAL_MS, () => this.refresh());
  readonly #runsChanged = new Deadline(RUNS_INTERVAL_MS, () => this.refresh());

  constructor(client: Client, feed: ChangeFeed, catalog: Catalog, settings: Settings, failed: (what: string, cause: unknown) => void) {
    this.#settings = settings;
    this.stats = new LibraryStats(client);
    this.layout = new LibraryLayout(() => this.#save());
    this.filter = new LibraryFilter((change) => this.#filterChanged(change));
    this.list = new SparseList(async (offset, limit) => {
      const page = await client.call('library/list', { query: wireQuery(this.filter.values), offset, limit });
      if (page.facets) this.filter.facets = page.facets;
      return { rows: page.skills, total: page.total };
    });
    this.cursor = new LibraryCursor(this.list);
    this.selection = new LibrarySelection(client, catalog, this.filter, this.list, this.cursor, failed);
    this.titleSearch = new TitleSearch(client, this.filter, this.list, this.cursor, failed);
    feed.on('skill', () => {
      if (this.#active) this.#skillsChanged.touch();
    });
    feed.on('run', () => {
      if (this.#active) this.#runsChanged.touch();
    });
  }

  open(): void {
    this.#active = true;
    if (!this.#restored) this.#restore();
    if (this.list.loaded) this.refresh();
    else this.#restart();
  }

  close(): void {
    this.#active = false;
    this.#skillsChanged.cancel();
    this.#runsChanged.cancel();
  }

  /** Another workspace is open. */
  reset(): void {
    this.#toStart();
    this.list.clear();
    [this.filter.facets, this.stats.value] = [null, null];
    if (this.#active) this.#restart();
  }

  refresh(): void {
    this.list.refresh();
    this.stats.refresh();
  }

  #filterChanged(change: Partial<Filters>): void {
    this.#save();
    this.#toStart();
    if ('text' in change) this.#typed.touch();
    else {
      this.#typed.cancel();
      this.#restart();
    }
  }

  /** Another list begins at its start, without a selection. */
  #toStart(): void {
    this.cursor.moveTo(-1);
    this.selection.clear();
    this.layout.scrollTop = 0;
  }

  #restart(): void {
    this.list.restart();
    this.stats.refresh();
  }

  #restore(): void {
    this.#restored = true;
    const stored = this.#settings.get(KEY);
    if (typeof stored !== 'object' || stored === null) return;
    const { filters, viewMode } = stored as Record<string, unknown>;
    this.filter.values = readFilters(filters);
    this.layout.viewMode = viewMode === 'list' || viewMode === 'lines' ? 'list' : 'cards';
  }

  /** The search text isn't stored. */
  #save(): void {
    this.#settings.set(KEY, { filters: { ...this.filter.values, text: '' }, viewMode: this.layout.viewMode }, SAVE_DELAY_MS);
  }
}
