import { asFailure, type Client, Latest } from '$lib/api';
import { ViewRequest } from '$lib/components';
import type { Failure, Page } from '$lib/api/generated';

export type LinkProblemsTab = 'broken' | 'orphans' | 'skipped';

/** Broken links, and pages without backlinks. */
export class LinkProblems {
  broken = $state.raw<Page.BrokenLink[] | null>(null);
  orphans = $state.raw<Page.PageSummary[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  tab = $state<LinkProblemsTab>('broken');
  /** Shown in place of a page. */
  isShown = $state(false);
  readonly focusRequest = new ViewRequest();
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
  }

  show(tab: LinkProblemsTab): void {
    this.tab = tab;
    this.isShown = true;
  }

  hide(): void {
    this.isShown = false;
  }

  refresh(): void {
    this.#latest.ask();
  }

  reset(): void {
    this.broken = null;
    this.orphans = null;
    this.failure = null;
    this.tab = 'broken';
    this.isShown = false;
  }

  async #read(): Promise<void> {
    const { workspace } = this.#client;
    try {
      const { broken, orphans } = await this.#client.call('page/link_problems', {});
      if (workspace === this.#client.workspace) [this.broken, this.orphans, this.failure] = [broken, orphans, null];
    } catch (cause) {
      if (workspace === this.#client.workspace) this.failure = asFailure(cause);
    }
  }
}
