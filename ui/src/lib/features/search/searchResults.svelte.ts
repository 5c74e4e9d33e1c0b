import { asFailure, type Client, Debounce, Latest } from '$lib/api';
import type { Failure, Scope, Texts } from '$lib/api/generated';
import { named } from './rows';
import type { SearchQuery } from './searchQuery.svelte';

const TYPE_MS = 150;

/** The query of a reply. */
interface SearchRequest {
  query: Texts.Query;
  replacement: string | null;
  path: string;
  scope: Scope | null;
}

interface Events {
  /** `same`: the text and switches are those of the previous matches. */
  found: (same: boolean) => void;
  cleared: () => void;
}

/** The matches of the query, searched as it is typed. */
export class SearchResults {
  found = $state.raw<Texts.SearchResult | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The query of the matches. */
  answered = $state.raw<SearchRequest | null>(null);
  busy = $state(false);
  readonly skills = $derived.by(() => (this.found ? named(this.found) : []));
  /** The query is invalid, such as an incomplete regular expression: shown beside the field, while the matches stay. */
  readonly problem = $derived(this.failure?.code === 'invalid' ? this.failure : null);
  readonly #client: Client;
  readonly #query: SearchQuery;
  readonly #events: Events;
  /** Counts requests, so that a reply to an older one is dropped. */
  #wanted = 0;
  #reached = 0;
  readonly #latest = new Latest(() => this.#read());
  readonly #typed = new Debounce(TYPE_MS, () => this.#latest.ask());

  constructor(client: Client, query: SearchQuery, events: Events) {
    this.#client = client;
    this.#query = query;
    this.#events = events;
  }

  /** Whether the matches are those of the query as it is now. */
  get settled(): boolean {
    return this.#reached === this.#wanted;
  }

  /** The query changed: searches once typing pauses. */
  invalidate(): void {
    this.#wanted += 1;
    if (this.#query.text === '') this.clear();
    else this.#typed.touch();
  }

  /** Searches without waiting for a pause in typing. */
  now(): void {
    this.#typed.flush();
  }

  /** Searches again for the same query. */
  again(): void {
    if (this.#query.text !== '') this.#latest.ask();
  }

  /** Waits until the matches are those of the query. */
  async ensureCurrent(): Promise<void> {
    this.#typed.cancel();
    if (!this.settled) await this.#read();
  }

  /** Drops the matches and pending replies. */
  clear(): void {
    if (this.#query.text === '') this.#typed.cancel();
    else this.#wanted += 1;
    this.#reached = this.#wanted;
    this.busy = false;
    this.found = null;
    this.failure = null;
    this.answered = null;
    this.#events.cleared();
  }

  #asked(): SearchRequest {
    const { text, switches, replacing, replacement, path, scope } = this.#query;
    return { query: { text, ...switches }, replacement: replacing ? replacement : null, path: path.trim(), scope };
  }

  async #read(): Promise<void> {
    if (this.#query.text === '') return;
    const [wanted, asked] = [this.#wanted, this.#asked()];
    const { query, replacement, path, scope } = asked;
    this.busy = true;
    try {
      const found = await this.#client.call('text/search', {
        query,
        ...(replacement === null ? {} : { replacement }),
        ...(path === '' ? {} : { path }),
        ...(scope === null ? {} : { scope }),
      });
      if (wanted !== this.#wanted) return;
      const same = JSON.stringify(this.answered?.query) === JSON.stringify(query);
      [this.found, this.answered, this.failure] = [found, asked, null];
      this.#events.found(same);
    } catch (cause) {
      if (wanted !== this.#wanted) return;
      this.failure = asFailure(cause);
    } finally {
      if (wanted === this.#wanted) [this.#reached, this.busy] = [wanted, false];
    }
  }
}
