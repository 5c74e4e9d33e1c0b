import { asFailure, type Client, Deadline, Debounce, type ChangeFeed, Latest } from '$lib/api';
import type { ChangeEvent, Failure, Run } from '$lib/api/generated';
import { RunQuery } from './runQuery.svelte';
import { RunSelection } from './runSelection.svelte';

export { type Filters, NO_FILTERS, type Range } from './runQuery.svelte';

const PAGE = 100;
const MAX_ROWS = 1_000;
/** A run sends several events: the list is read at most this often. */
const LIVE_MS = 300;
const TYPE_MS = 200;

export type NameOf = (run: Pick<Run.RunSummary, 'skill_scope' | 'skill_id' | 'skill_slug'>) => string;

/** The filtered list of runs, read page by page. */
export class Runs {
  list = $state.raw<Run.RunSummary[]>([]);
  next = $state.raw<number | null>(null);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly query: RunQuery;
  readonly selection: RunSelection;
  #reading = false;
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #live = new Deadline(LIVE_MS, () => this.#latest.ask());
  readonly #typed = new Debounce(TYPE_MS, () => this.#latest.ask());
  readonly #listeners = new Set<(event: ChangeEvent) => void>();
  /** Incremented when the query changes: pages of the one before are dropped. */
  #generation = 0;
  #depth = PAGE;
  #active = false;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
    this.query = new RunQuery((what) => {
      if (what === 'database') this.selection.clear();
      this.#restart(what === 'text');
      if (what === 'database') void this.#readOptions();
    });
    this.selection = new RunSelection(() => this.list, () => void this.more());
    feed.on('run', (event) => {
      for (const listener of this.#listeners) listener(event);
      if (this.#active) this.#live.touch();
    });
  }

  /** Keeps the list current until the returned function is called. */
  open(): () => void {
    this.#active = true;
    this.#latest.ask();
    void this.#readOptions();
    return () => {
      this.#active = false;
    };
  }

  reset(): void {
    this.#generation += 1;
    this.#depth = PAGE;
    this.list = [];
    this.next = null;
    this.loaded = false;
    this.selection.clear();
    this.query.reset();
    if (this.#active) this.open();
  }

  retry(): void {
    this.#latest.ask();
  }

  /** Reads the next page, if there is one. */
  async more(): Promise<void> {
    if (this.next === null || this.#reading) return;
    const [generation, before] = [this.#generation, this.next];
    let moved = false;
    this.#reading = true;
    try {
      const page = await this.#client.call('run/list', { filter: this.query.wire(), account: this.query.account, before, limit: PAGE });
      if (generation !== this.#generation) return;
      // The list was read again meanwhile and has another end.
      moved = this.next !== before;
      if (moved) return;
      this.list = [...this.list, ...page.runs];
      this.next = page.next;
      this.#depth = Math.max(PAGE, this.list.length);
    } catch (cause) {
      if (generation === this.#generation) this.failure = asFailure(cause);
    } finally {
      this.#reading = false;
      if (moved) void this.more();
    }
  }

  /** Null on success. */
  async remove(runs: readonly string[]): Promise<Failure | null> {
    try {
      await this.#client.call('run/delete', { runs: [...runs] });
      this.selection.forget(runs);
      this.list = this.list.filter((run) => !runs.includes(run.run_id) || run.status === 'running');
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Calls `listener` for every change of runs, also while the list isn't shown. */
  onChange(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #restart(soon: boolean): void {
    this.#generation += 1;
    this.#depth = PAGE;
    this.next = null;
    if (soon) this.#typed.touch();
    else this.#latest.ask();
  }

  async #read(): Promise<void> {
    const generation = this.#generation;
    // Reads all pages that were read before, so that the list keeps its length.
    const limit = Math.min(MAX_ROWS, this.#depth);
    try {
      const page = await this.#client.call('run/list', { filter: this.query.wire(), account: this.query.account, limit });
      if (generation !== this.#generation) return;
      this.list = page.runs;
      this.next = page.next;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      if (generation === this.#generation) this.failure = asFailure(cause);
    }
  }

  async #readOptions(): Promise<void> {
    try {
      const [skills, models] = await Promise.all([
        this.#client.call('trace/stats', { by: 'skill', account: this.query.account }),
        this.#client.call('trace/stats', { by: 'model', account: this.query.account }),
      ]);
      this.query.options = {
        skills: skills.rows.map((row) => row.key).sort(),
        models: models.rows.map((row) => row.key).filter(Boolean).sort(),
      };
    } catch {
      // The filters have no options; the list reports the failure.
    }
  }
}
