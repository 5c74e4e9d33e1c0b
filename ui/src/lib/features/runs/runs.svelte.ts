import { asFailure, type Client, Deadline, Debounce, type ChangeFeed, Latest } from '$lib/api';
import type { ChangeEvent, Failure, Kind, RunSummary, TraceFilter, TraceStatus } from '$lib/api/generated';

export type Range = 'all' | 'hour' | 'day' | 'week' | 'month';

export interface Filters {
  skill: string;
  model: string;
  kind: Kind | '';
  status: TraceStatus | '';
  text: string;
  range: Range;
  failedOnly: boolean;
}

export const NO_FILTERS: Filters = { skill: '', model: '', kind: '', status: '', text: '', range: 'all', failedOnly: false };

const PAGE = 100;
const MOST = 1_000;
const HOURS: Record<Exclude<Range, 'all'>, number> = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 };
/** A run sends several events: the list is read at most this often. */
const LIVE_MS = 300;
const TYPE_MS = 200;

/** What the skill of a run is called. */
export type NameOf = (run: Pick<RunSummary, 'skill_scope' | 'skill_id' | 'skill_slug'>) => string;

/** The list of runs: filtered, read page by page, and current while runs go on. */
export class Runs {
  list = $state.raw<RunSummary[]>([]);
  next = $state.raw<number | null>(null);
  loaded = $state(false);
  reading = $state(false);
  failure = $state.raw<Failure | null>(null);
  filters = $state.raw<Filters>(NO_FILTERS);
  /** The account's runs even while a workspace is open. */
  account = $state(false);
  /** What can be filtered by: what ran so far. */
  skills = $state.raw<string[]>([]);
  models = $state.raw<string[]>([]);
  selected = $state.raw<string | null>(null);
  /** Marked for comparing or deleting, in the order of marking. */
  marked = $state.raw<string[]>([]);
  readonly filtered = $derived(JSON.stringify(this.filters) !== JSON.stringify(NO_FILTERS));
  readonly index = $derived(this.list.findIndex((run) => run.run_id === this.selected));
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #live = new Deadline(LIVE_MS, () => this.#latest.ask());
  readonly #typed = new Debounce(TYPE_MS, () => this.#latest.ask());
  readonly #listeners = new Set<(event: ChangeEvent) => void>();
  /** Goes up whenever what is wanted changes: a page of something else is dropped. */
  #wanted = 0;
  #depth = PAGE;
  #active = false;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
    feed.on('run', (event) => {
      for (const listener of this.#listeners) listener(event);
      if (this.#active) this.#live.touch();
    });
  }

  /** The view is shown: only then is the list kept current. */
  open(): void {
    this.#active = true;
    this.#latest.ask();
    void this.#readOptions();
  }

  close(): void {
    this.#active = false;
  }

  /** Another workspace is open. */
  reset(): void {
    this.#wanted += 1;
    this.#depth = PAGE;
    this.list = [];
    this.next = null;
    this.loaded = false;
    this.selected = null;
    this.marked = [];
    this.account = false;
    this.filters = NO_FILTERS;
    if (this.#active) this.open();
  }

  filter(change: Partial<Filters>): void {
    this.filters = { ...this.filters, ...change };
    this.#again(Object.keys(change).join() === 'text');
  }

  clearFilters(): void {
    this.filters = NO_FILTERS;
    this.#again(false);
  }

  showAccount(account: boolean): void {
    if (this.account === account) return;
    this.account = account;
    this.selected = null;
    this.marked = [];
    this.#again(false);
    void this.#readOptions();
  }

  retry(): void {
    this.#latest.ask();
  }

  /** The next page, if there is one. */
  async more(): Promise<void> {
    if (this.next === null || this.reading) return;
    const [wanted, before] = [this.#wanted, this.next];
    let moved = false;
    this.reading = true;
    try {
      const page = await this.#client.call('run/list', { filter: this.wire(), account: this.account, before, limit: PAGE });
      if (wanted !== this.#wanted) return;
      // The list was read again meanwhile, and ends elsewhere: this page wouldn't fit to it.
      moved = this.next !== before;
      if (moved) return;
      this.list = [...this.list, ...page.runs];
      this.next = page.next;
      this.#depth = Math.max(PAGE, this.list.length);
    } catch (cause) {
      if (wanted === this.#wanted) this.failure = asFailure(cause);
    } finally {
      this.reading = false;
      if (moved) void this.more();
    }
  }

  select(run: string | null): void {
    this.selected = run;
  }

  step(by: number): void {
    const at = this.index < 0 ? (by > 0 ? 0 : this.list.length - 1) : Math.max(0, Math.min(this.list.length - 1, this.index + by));
    this.selected = this.list[at]?.run_id ?? null;
    if (at >= this.list.length - 5) void this.more();
  }

  /** Marks a run, or takes the mark away. */
  mark(run: string): void {
    this.marked = this.marked.includes(run) ? this.marked.filter((one) => one !== run) : [...this.marked, run];
  }

  /** Removes runs for good. Null when it worked. */
  async remove(runs: readonly string[]): Promise<Failure | null> {
    try {
      await this.#client.call('run/delete', { runs: [...runs] });
      this.marked = this.marked.filter((one) => !runs.includes(one));
      if (this.selected !== null && runs.includes(this.selected)) this.selected = null;
      this.list = this.list.filter((run) => !runs.includes(run.run_id) || run.status === 'running');
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Told of every change of runs, also while the list isn't shown. */
  onChange(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The conditions as the core takes them. */
  wire(now = Date.now()): TraceFilter {
    const { skill, model, kind, status, text, range, failedOnly } = this.filters;
    return {
      ...(skill === '' ? {} : { skill }),
      ...(model === '' ? {} : { model }),
      ...(kind === '' ? {} : { kind }),
      ...(status === '' ? {} : { status: [status] }),
      ...(text.trim() === '' ? {} : { text: text.trim() }),
      ...(range === 'all' ? {} : { since: new Date(now - HOURS[range] * 3_600_000).toISOString() }),
      ...(failedOnly ? { failed_assertions: true } : {}),
    };
  }

  #again(soon: boolean): void {
    this.#wanted += 1;
    this.#depth = PAGE;
    this.next = null;
    if (soon) this.#typed.touch();
    else this.#latest.ask();
  }

  async #read(): Promise<void> {
    const wanted = this.#wanted;
    // What was read already stays in sight when the list is read again.
    const limit = Math.min(MOST, this.#depth);
    try {
      const page = await this.#client.call('run/list', { filter: this.wire(), account: this.account, limit });
      if (wanted !== this.#wanted) return;
      this.list = page.runs;
      this.next = page.next;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      if (wanted === this.#wanted) this.failure = asFailure(cause);
    }
  }

  async #readOptions(): Promise<void> {
    try {
      const [skills, models] = await Promise.all([
        this.#client.call('trace/stats', { by: 'skill', account: this.account }),
        this.#client.call('trace/stats', { by: 'model', account: this.account }),
      ]);
      this.skills = skills.rows.map((row) => row.key).sort();
      this.models = models.rows.map((row) => row.key).filter(Boolean).sort();
    } catch {
      // Without them the list can't be narrowed by skill or model; the list itself says what is wrong.
    }
  }
}
