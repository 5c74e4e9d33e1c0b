import type { Client } from '$lib/api';
import type { Proposal } from '$lib/api/generated';

/** The selected proposal. It stays selected when the filter excludes it. */
export class Selection {
  id = $state.raw<string | null>(null);
  readonly #client: Client;
  readonly #list: () => readonly Proposal[];
  #unlisted = $state.raw<Proposal | null>(null);
  readonly proposal = $derived.by(() => this.#list().find((one) => one.id === this.id) ?? (this.#unlisted?.id === this.id ? this.#unlisted : null));
  /** -1 if none is selected or the filter excludes it. */
  readonly index = $derived.by(() => this.#list().findIndex((one) => one.id === this.id));

  constructor(client: Client, list: () => readonly Proposal[]) {
    this.#client = client;
    this.#list = list;
  }

  async select(id: string | null): Promise<void> {
    this.id = id;
    await this.refresh();
  }

  /** Moves by this many rows, up to the first or the last one. */
  step(by: number): void {
    const list = this.#list();
    const at = this.index < 0 ? (by > 0 ? 0 : list.length - 1) : Math.max(0, Math.min(list.length - 1, this.index + by));
    void this.select(list[at]?.id ?? null);
  }

  /** Reads the selected proposal if it isn't in the list. */
  async refresh(): Promise<void> {
    if (this.id !== null && this.index < 0) await this.read(this.id);
  }

  /** Reads a proposal that the filter excludes, or is about to exclude. */
  async read(id: string): Promise<void> {
    try {
      this.#unlisted = await this.#client.call('proposal/get', { id });
    } catch {
      if (this.#unlisted?.id === id) this.#unlisted = null;
    }
  }
}
