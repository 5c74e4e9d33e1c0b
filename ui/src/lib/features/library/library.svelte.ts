import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, Deadline, Debounce, type ChangeFeed, Latest, type Settings, type SkillKey, skillKey, Sparse } from '$lib/api';
import { ViewRequest } from '$lib/components';
import type { Failure, LibraryFacets, LibraryRow, LibraryStats } from '$lib/api/generated';
import { type Face, type Filters, isFiltered, isNarrowed, NO_FILTERS, readFilters, wireQuery } from './query';

const KEY = 'ui.library';
/** Many changes come at once: what is shown is read again at most this often. */
const LIVE_MS = 200;
/** Runs change numbers only. */
const NUMBERS_MS = 1_000;
const TYPE_MS = 120;
/** A pause in typing begins another word to go to. */
const WORD_MS = 800;

export interface LibraryPorts {
  open: (key: SkillKey) => void;
  failed: (what: string, cause: unknown) => void;
}

/** What is typed to go to a title. */
interface Word {
  text: string;
  /** When its last key was pressed. */
  at: number;
}

/** The shelf: which skills are looked at, in which order, the one that the cursor is on, and those that are selected. */
export class Library {
  filters = $state.raw<Filters>(NO_FILTERS);
  face = $state<Face>('cards');
  facets = $state.raw<LibraryFacets | null>(null);
  stats = $state.raw<LibraryStats | null>(null);
  statsFailure = $state.raw<Failure | null>(null);
  /** The place of the cursor; -1 before it was put anywhere. */
  cursor = $state(-1);
  /** How many stand side by side. */
  columns = $state(1);
  /** Where the list is scrolled to. */
  top = 0;
  readonly searchFocus = new ViewRequest();
  readonly listFocus = new ViewRequest();
  readonly list: Sparse<LibraryRow>;
  readonly selected = new SvelteMap<string, SkillKey>();
  readonly narrowed = $derived(isNarrowed(this.filters));
  readonly filtered = $derived(isFiltered(this.filters));
  #anchor = -1;
  #cursorKey: string | null = null;
  #restored = false;
  #active = false;
  /** Another one, or none, as soon as the cursor is moved otherwise. */
  #word: Word | null = null;
  #sought = Promise.resolve();
  readonly #client: Client;
  readonly #settings: Settings;
  readonly #ports: LibraryPorts;
  readonly #stats: Latest;
  readonly #typed = new Debounce(TYPE_MS, () => this.#restart());
  readonly #live = new Deadline(LIVE_MS, () => this.refresh());
  readonly #numbers = new Deadline(NUMBERS_MS, () => this.refresh());

  constructor(client: Client, feed: ChangeFeed, settings: Settings, ports: LibraryPorts) {
    this.#client = client;
    this.#settings = settings;
    this.#ports = ports;
    this.#stats = new Latest(() => this.#readStats());
    this.list = new Sparse(async (offset, limit) => {
      const page = await client.call('library/list', { query: wireQuery(this.filters), offset, limit });
      if (page.facets) this.facets = page.facets;
      return { rows: page.skills, total: page.total };
    });
    feed.on('skill', () => {
      if (this.#active) this.#live.touch();
    });
    feed.on('run', () => {
      if (this.#active) this.#numbers.touch();
    });
  }

  /** The view is on the screen: only then it follows what changes. */
  open(): void {
    this.#active = true;
    if (!this.#restored) this.#restore();
    if (this.list.loaded) this.refresh();
    else this.#restart();
  }

  close(): void {
    this.#active = false;
    this.#live.cancel();
    this.#numbers.cancel();
  }

  /** Another workspace is open. */
  reset(): void {
    this.selected.clear();
    this.#anchor = -1;
    this.#word = null;
    this.#put(-1);
    this.top = 0;
    this.list.clear();
    [this.facets, this.stats] = [null, null];
    if (this.#active) this.#restart();
  }

  refresh(): void {
    this.list.refresh();
    this.#stats.ask();
  }

  filter(change: Partial<Filters>): void {
    this.filters = { ...this.filters, ...change };
    this.#remember();
    this.#anchor = -1;
    this.#word = null;
    this.#put(-1);
    this.top = 0;
    this.selected.clear();
    if ('text' in change) this.#typed.touch();
    else {
      this.#typed.cancel();
      this.#restart();
    }
  }

  clearFilters(): void {
    const { place, sort, reverse, hidden } = this.filters;
    this.filter({ ...NO_FILTERS, place, sort, reverse, hidden });
  }

  showAs(face: Face): void {
    this.face = face;
    this.top = 0;
    this.#remember();
  }

  /** Rows that are in sight were read: the cursor stays on its skill, wherever that is now. */
  settle(): void {
    if (this.#cursorKey !== null) {
      const key = this.#cursorKey;
      const at = this.list.find((row) => skillKey(row) === key);
      if (at >= 0) this.cursor = at;
    }
    if (this.cursor >= this.list.total) this.#put(this.list.total - 1);
  }

  // Cursor

  get current(): LibraryRow | null {
    return this.cursor < 0 ? null : this.list.at(this.cursor);
  }

  /** `extend`: everything between where the selection began and here is selected. */
  async go(index: number, extend = false): Promise<void> {
    if (this.list.total === 0) return;
    this.#word = null;
    const from = this.cursor;
    const to = Math.max(0, Math.min(this.list.total - 1, index));
    this.#put(to);
    if (!extend) {
      this.#anchor = to;
      return;
    }
    if (this.#anchor < 0) this.#anchor = Math.max(0, from);
    await this.#selectRange(this.#anchor, to);
  }

  /** Goes to the next title that begins with what is typed, key by key; `at` is when the key was pressed, in milliseconds. */
  seek(letter: string, at: number): Promise<void> {
    const word = this.#word && this.typing(at) ? this.#word : { text: '', at };
    const text = word.text + letter;
    [this.#word, word.text, word.at] = [word, text, at];
    // One after the other: what is known of fewer letters never has the last word.
    this.#sought = this.#sought.then(() => this.#goToTitle(word, text));
    return this.#sought;
  }

  /** Whether a key that is pressed then goes on with a word. By the keys' own times: a busy window gets them late. */
  typing(at: number): boolean {
    return this.#word !== null && at - this.#word.at < WORD_MS;
  }

  async #goToTitle(word: Word, text: string): Promise<void> {
    const letter = text.slice(0, 1);
    // The same letter again and again goes from one title to the next.
    const same = text === letter.repeat(text.length);
    // More was typed meanwhile, or something else was done.
    if (this.#word !== word || (!same && word.text !== text)) return;
    const after = same || this.cursor < 0 ? this.cursor : this.cursor - 1;
    try {
      const { index } = await this.#client.call('library/seek', { query: wireQuery(this.filters), prefix: same ? letter : text, after: after < 0 ? null : after });
      if (index === null) return;
      await this.list.reach(index);
      if (this.#word !== word) return;
      this.#put(index);
      this.#anchor = index;
    } catch (cause) {
      this.#ports.failed('Couldn’t jump to that title', cause);
    }
  }

  openCurrent(): void {
    const row = this.current;
    if (row) this.#ports.open(row);
  }

  // Selection

  isSelected(row: SkillKey): boolean {
    return this.selected.has(skillKey(row));
  }

  /** A click: this one alone, this one too or not, or all up to this one. */
  async pick(index: number, how: 'only' | 'toggle' | 'range'): Promise<void> {
    if (how === 'range') {
      await this.go(index, true);
      return;
    }
    const row = this.list.at(index);
    this.#word = null;
    this.#put(index);
    this.#anchor = index;
    if (!row) return;
    const had = this.isSelected(row);
    if (how === 'only') this.selected.clear();
    if (how === 'toggle' && had) this.selected.delete(skillKey(row));
    else this.selected.set(skillKey(row), { scope: row.scope, id: row.id });
  }

  async selectAll(): Promise<void> {
    await this.#selectRange(0, this.list.total - 1);
  }

  clearSelection(): void {
    this.selected.clear();
    this.#anchor = this.cursor;
  }

  /** What something is done to: what is selected, else what the cursor is on. */
  get chosen(): SkillKey[] {
    if (this.selected.size > 0) return [...this.selected.values()];
    const row = this.current;
    return row ? [{ scope: row.scope, id: row.id }] : [];
  }

  async #selectRange(one: number, other: number): Promise<void> {
    const [first, last] = [Math.min(one, other), Math.max(one, other)];
    try {
      const { keys } = await this.#client.call('library/keys', { query: wireQuery(this.filters), offset: first, limit: last - first + 1 });
      this.selected.clear();
      for (const key of keys) this.selected.set(skillKey(key), key);
    } catch (cause) {
      this.#ports.failed('Couldn’t select', cause);
    }
  }

  #put(index: number): void {
    this.cursor = index;
    const row = index < 0 ? null : this.list.at(index);
    this.#cursorKey = row ? skillKey(row) : null;
  }

  #restart(): void {
    this.list.restart();
    this.#stats.ask();
  }

  async #readStats(): Promise<void> {
    try {
      this.stats = await this.#client.call('library/stats', {});
      this.statsFailure = null;
    } catch (cause) {
      this.statsFailure = asFailure(cause);
    }
  }

  #restore(): void {
    this.#restored = true;
    const stored = this.#settings.get(KEY);
    if (typeof stored !== 'object' || stored === null) return;
    const { filters, face } = stored as Record<string, unknown>;
    this.filters = readFilters(filters);
    this.face = face === 'lines' ? 'lines' : 'cards';
  }

  #remember(): void {
    // What was searched for is not what is wanted next time.
    this.#settings.set(KEY, { filters: { ...this.filters, text: '' }, face: this.face }, 250);
  }
}
