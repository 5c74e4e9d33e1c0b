import type { Accepted, Failure, Proposal } from '$lib/api/generated';
import type { Client } from './client';
import { asFailure } from './failure';
import type { ChangeFeed } from './changeFeed';
import { Deadline, Latest } from './timing';

const SOON_MS = 120;

/** What waits for a person's decision, and what was decided. */
export class Proposals {
  list = $state.raw<Proposal[]>([]);
  /** How many wait, whatever is listed. */
  open = $state(0);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  filter = $state<'open' | 'all'>('open');
  selected = $state.raw<string | null>(null);
  #found = $state.raw<Proposal | null>(null);
  /** The selected one; also when it isn't listed, e.g. because it was decided a moment ago. */
  readonly shown = $derived(this.list.find((one) => one.id === this.selected) ?? (this.#found?.id === this.selected ? this.#found : null));
  readonly index = $derived(this.list.findIndex((one) => one.id === this.selected));
  readonly #client: Client;
  readonly #latest: Latest;
  #asked = 0;
  readonly #soon = new Deadline(SOON_MS, () => this.#latest.ask());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#latest = new Latest(() => this.load());
    feed.on('proposal', () => this.#soon.touch());
  }

  async load(): Promise<void> {
    const turn = ++this.#asked;
    try {
      const { proposals, open } = await this.#client.call('proposal/list', { status: this.filter === 'open' ? 'open' : null });
      // It was asked for again meanwhile, perhaps with another filter: that answer is on its way.
      if (turn !== this.#asked) return;
      this.open = open;
      this.list = proposals;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      if (turn !== this.#asked) return;
      this.failure = asFailure(cause);
    }
    if (this.selected !== null && !this.list.some((one) => one.id === this.selected)) await this.#find(this.selected);
  }

  /** Another workspace is open. */
  reset(): void {
    this.list = [];
    this.loaded = false;
    this.selected = null;
    this.#latest.ask();
  }

  show(filter: 'open' | 'all'): void {
    this.filter = filter;
    this.#latest.ask();
  }

  async select(id: string | null): Promise<void> {
    this.selected = id;
    if (id !== null && this.index < 0) await this.#find(id);
  }

  step(by: number): void {
    const at = this.index < 0 ? (by > 0 ? 0 : this.list.length - 1) : Math.max(0, Math.min(this.list.length - 1, this.index + by));
    void this.select(this.list[at]?.id ?? null);
  }

  async accept(id: string, reason: string): Promise<Accepted | Failure> {
    try {
      const accepted = await this.#client.call('proposal/accept', { id, reason: reason.trim() || null });
      await this.#decided(id);
      return accepted;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Null when it worked. */
  async reject(id: string, reason: string): Promise<Failure | null> {
    try {
      await this.#client.call('proposal/reject', { id, reason: reason.trim() || null });
      await this.#decided(id);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  async #decided(id: string): Promise<void> {
    await Promise.all([this.#find(id), this.load()]);
  }

  async #find(id: string): Promise<void> {
    try {
      this.#found = await this.#client.call('proposal/get', { id });
    } catch {
      if (this.#found?.id === id) this.#found = null;
    }
  }
}
