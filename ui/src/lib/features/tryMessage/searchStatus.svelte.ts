import { type ChangeFeed, type Client, Deadline, Latest } from '$lib/api';
import type { Search } from '$lib/api/generated';
import type { StatusText } from '$lib/workbench/contribution';
import type { Services } from '$lib/workbench/services';

const SOON_MS = 150;

/** Whether skills are found by meaning, or not yet. */
export class SearchStatus {
  status = $state.raw<Search.SearchStatus | null>(null);
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  // The background reports every ten skills.
  readonly #soon = new Deadline(SOON_MS, () => this.load());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    feed.on('search', () => this.#soon.touch());
  }

  load(): void {
    this.#latest.ask();
  }

  /** Starts over in another workspace. */
  reset(): void {
    this.status = null;
  }

  async #read(): Promise<void> {
    // Without an answer, the last one stays: it only informs.
    this.status = await this.#client.call('search/status', {}).catch(() => this.status);
  }
}

export function searchStatusText({ searchStatus: { status } }: Pick<Services, 'searchStatus'>): StatusText | null {
  if (status?.indexing) {
    const { done, total } = status.indexing;
    return { text: `Indexing skills, ${done} of ${total}`, title: 'Skills that aren’t indexed yet are found by their words only', isNumeric: true, state: 'indexing' };
  }
  if (status?.words_only == null) return null;
  const title = `Skills aren’t found by meaning: ${status.words_only}.\nInstall Inklings Skill Studio again to restore the model.`;
  return { text: 'Search compares words only', title, isWarning: true, state: 'words' };
}
