import { asFailure, type ChangeFeed, type Client, Deadline, Latest } from '$lib/api';
import type { Failure, Proposal } from '$lib/api/generated';
import { Decisions } from './decisions';
import { Selection } from './selection.svelte';

const SOON_MS = 120;

export type ProposalFilter = 'open' | 'all';

/** The list of proposals. */
export class Proposals {
  list = $state.raw<Proposal[]>([]);
  /** The number of open proposals, whatever the filter is. */
  openCount = $state(0);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  filter = $state<ProposalFilter>('open');
  readonly selection: Selection;
  readonly decisions: Decisions;
  readonly #client: Client;
  readonly #latest = new Latest(() => this.load());
  readonly #soon = new Deadline(SOON_MS, () => this.#latest.ask());
  #request = 0;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.selection = new Selection(client, () => this.list);
    this.decisions = new Decisions(client, (id) => Promise.all([this.selection.read(id), this.load()]));
    feed.on('proposal', () => this.#soon.touch());
  }

  async load(): Promise<void> {
    const request = ++this.#request;
    try {
      const { proposals, open } = await this.#client.call('proposal/list', { status: this.filter === 'open' ? 'open' : null });
      // A later call, perhaps with another filter, will reply.
      if (request !== this.#request) return;
      this.openCount = open;
      this.list = proposals;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      if (request !== this.#request) return;
      this.failure = asFailure(cause);
    }
    await this.selection.refresh();
  }

  /** Starts over in another workspace. */
  reset(): void {
    this.list = [];
    this.loaded = false;
    this.selection.id = null;
    this.#latest.ask();
  }

  setFilter(filter: ProposalFilter): void {
    this.filter = filter;
    this.#latest.ask();
  }
}
