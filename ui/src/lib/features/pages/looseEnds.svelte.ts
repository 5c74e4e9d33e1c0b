import { asFailure, type Client, Latest } from '$lib/api';
import type { BrokenLink, Failure, PageSummary } from '$lib/api/generated';

export type LooseTab = 'broken' | 'orphans' | 'skipped';

/** What is loose in the workspace: links that lead nowhere, and pages that nothing leads to. */
export class LooseEnds {
  broken = $state.raw<BrokenLink[] | null>(null);
  orphans = $state.raw<PageSummary[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
  }

  refresh(): void {
    this.#latest.ask();
  }

  reset(): void {
    this.broken = null;
    this.orphans = null;
    this.failure = null;
  }

  async #read(): Promise<void> {
    const place = this.#client.workspace;
    try {
      const { broken, orphans } = await this.#client.call('page/loose_ends', {});
      if (place === this.#client.workspace) [this.broken, this.orphans, this.failure] = [broken, orphans, null];
    } catch (cause) {
      if (place === this.#client.workspace) this.failure = asFailure(cause);
    }
  }
}
