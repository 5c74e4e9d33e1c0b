import { asFailure, type Client } from '$lib/api';
import type { Failure, Token } from '$lib/api/generated';

const PAGE = 20;
/** The core gives no more. */
const MAX_ENTRIES = 1_000;

/** Calls of other programs that changed something or were refused, newest first. */
export class AuditLog {
  /** Null until it is read. */
  list = $state.raw<readonly Token.AuditEntry[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Whether there may be older entries to load. */
  hasMore = $state(false);
  readonly #client: Client;
  #limit = PAGE;
  #request = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  async load(): Promise<void> {
    const request = ++this.#request;
    const limit = this.#limit;
    try {
      const { calls } = await this.#client.call('token/calls', { limit });
      if (request !== this.#request) return;
      [this.failure, this.hasMore] = [null, calls.length === limit && limit < MAX_ENTRIES];
      if (JSON.stringify(calls) !== JSON.stringify(this.list)) this.list = calls;
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
  }

  loadMore(): Promise<void> {
    this.#limit = Math.min(this.#limit * 5, MAX_ENTRIES);
    return this.load();
  }

  /** Begins with the newest entries again. */
  reset(): void {
    this.#limit = PAGE;
  }
}
