import { asFailure, type Client, Debounce, Latest } from '$lib/api';
import type { Failure } from '$lib/api/generated';

export interface PageChoice {
  slug: string;
  title: string;
  note: string;
}

const TYPING_PAUSE_MS = 80;
const MAX_CHOICES = 50;

/** The choices of the page palette: search hits, or the last modified pages. */
export class PageFind {
  query = $state('');
  choices = $state.raw<PageChoice[]>([]);
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  #requested = 0;
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  readonly #typed = new Debounce(TYPING_PAUSE_MS, () => this.#latest.ask());

  constructor(client: Client) {
    this.#client = client;
  }

  start(): void {
    this.choices = [];
    this.type('');
    this.#typed.flush();
  }

  type(query: string): void {
    this.query = query;
    this.#requested += 1;
    this.busy = true;
    this.#typed.touch();
  }

  async #read(): Promise<void> {
    const [requested, query] = [this.#requested, this.query.trim()];
    let [choices, failure]: [PageChoice[], Failure | null] = [[], null];
    try {
      if (query === '') {
        const { pages } = await this.#client.call('page/list', { filter: { order: 'modified' }, limit: MAX_CHOICES });
        choices = pages.map(({ slug, title, path }) => ({ slug, title, note: path }));
      } else {
        const { hits } = await this.#client.call('page/search', { query, limit: MAX_CHOICES });
        choices = hits.map(({ slug, title }) => ({ slug, title, note: slug }));
      }
    } catch (cause) {
      failure = asFailure(cause);
    }
    if (requested !== this.#requested) return;
    [this.choices, this.failure, this.busy] = [choices, failure, false];
  }
}
