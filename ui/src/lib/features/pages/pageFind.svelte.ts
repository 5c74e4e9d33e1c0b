import { asFailure, type Client, Debounce, Latest } from '$lib/api';
import type { Failure } from '$lib/api/generated';

export interface PageChoice {
  slug: string;
  title: string;
  note: string;
}

const TYPE_MS = 80;
const SHOWN = 50;

/** Finds a page for the palette: by words, or among those that were changed last. */
export class PageFind {
  query = $state('');
  choices = $state.raw<PageChoice[]>([]);
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  #wanted = 0;
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  readonly #typed = new Debounce(TYPE_MS, () => this.#latest.ask());

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
    this.#wanted += 1;
    this.busy = true;
    this.#typed.touch();
  }

  async #read(): Promise<void> {
    const [wanted, query] = [this.#wanted, this.query.trim()];
    let [choices, failure]: [PageChoice[], Failure | null] = [[], null];
    try {
      if (query === '') {
        const { pages } = await this.#client.call('page/list', { filter: { order: 'modified' }, limit: SHOWN });
        choices = pages.map(({ slug, title, path }) => ({ slug, title, note: path }));
      } else {
        const { hits } = await this.#client.call('page/search', { query, limit: SHOWN });
        choices = hits.map(({ slug, title }) => ({ slug, title, note: slug }));
      }
    } catch (cause) {
      failure = asFailure(cause);
    }
    if (wanted !== this.#wanted) return;
    [this.choices, this.failure, this.busy] = [choices, failure, false];
  }
}
