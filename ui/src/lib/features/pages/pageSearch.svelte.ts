import { asFailure, type Client, Debounce, Latest } from '$lib/api';
import { formatNumber } from '$lib/domain';
import type { Failure, Page } from '$lib/api/generated';
import type { PageFilter } from './pageFilter.svelte';

const TYPING_PAUSE_MS = 120;
const MAX_HITS = 200;
/** With a filter, which is applied here, more hits are requested. */
const MAX_HITS_TO_FILTER = 1_000;

/** The pages that match the search text. */
export class PageSearch {
  /** The hits that pass the filter; null until there is a reply. */
  readonly hits = $derived.by(() => {
    const [type, tag] = [this.#filter.values.type.toLowerCase(), this.#filter.values.tag.toLowerCase()];
    return this.#allHits?.filter((hit) => (type === '' || hit.type?.toLowerCase() === type) && (tag === '' || hit.tags.includes(tag))) ?? null;
  });
  failure = $state.raw<Failure | null>(null);
  /** Counts the replies to new searches. */
  edition = $state(0);
  #allHits = $state.raw<Page.Hit[] | null>(null);
  /** Counts searches: replies to older ones are dropped. */
  #requested = 0;
  #answered = 0;
  readonly #client: Client;
  readonly #filter: PageFilter;
  readonly #latest = new Latest(() => this.#read());
  readonly #typed = new Debounce(TYPING_PAUSE_MS, () => this.#latest.ask());

  constructor(client: Client, filter: PageFilter) {
    this.#client = client;
    this.#filter = filter;
  }

  /** "12 matches"; null without search results. */
  get matches(): string | null {
    if (!this.#filter.searching || this.#allHits === null || this.hits === null) return null;
    const { length } = this.#allHits;
    const isLimited = length === MAX_HITS || length === MAX_HITS_TO_FILTER;
    const count = this.hits.length;
    return `${formatNumber(count)}${isLimited ? ' or more' : ''} ${count === 1 && !isLimited ? 'match' : 'matches'}`;
  }

  /** The search text changed. */
  typed(): void {
    this.#requested += 1;
    if (this.#filter.searching) this.#typed.touch();
    else this.#clear();
  }

  /** The filter changed. */
  restart(): void {
    if (!this.#filter.searching) return;
    this.#requested += 1;
    this.#latest.ask();
  }

  /** Reads the hits of the same search again. */
  refresh(): void {
    if (this.#filter.searching) this.#latest.ask();
  }

  /** Searches without waiting for a pause in typing, unless the hits are of the current text. */
  async flush(): Promise<void> {
    if (!this.#filter.searching || this.#answered === this.#requested) return;
    this.#typed.cancel();
    await this.#read();
  }

  reset(): void {
    this.#requested += 1;
    this.#clear();
  }

  #clear(): void {
    this.#typed.cancel();
    this.#allHits = null;
    this.failure = null;
  }

  async #read(): Promise<void> {
    const [requested, query] = [this.#requested, this.#filter.query.trim()];
    if (query === '') return;
    const { type, tag } = this.#filter.values;
    const limit = type === '' && tag === '' ? MAX_HITS : MAX_HITS_TO_FILTER;
    try {
      const { hits } = await this.#client.call('page/search', { query, limit });
      if (requested !== this.#requested) return;
      if (this.#answered !== requested) this.edition += 1;
      this.#answered = requested;
      this.#allHits = hits;
      this.failure = null;
    } catch (cause) {
      if (requested !== this.#requested) return;
      this.#allHits = null;
      this.failure = asFailure(cause);
    }
  }
}
