import { asFailure, type Client } from '$lib/api';
import type { AcceptedProposal, Failure } from '$lib/api/generated';

/** Accepts and rejects proposals. */
export class Decisions {
  readonly #client: Client;
  readonly #decided: (id: string) => Promise<unknown>;

  constructor(client: Client, decided: (id: string) => Promise<unknown>) {
    this.#client = client;
    this.#decided = decided;
  }

  async accept(id: string, reason: string): Promise<AcceptedProposal | Failure> {
    try {
      const accepted = await this.#client.call('proposal/accept', { id, reason: reason.trim() || null });
      await this.#decided(id);
      return accepted;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Null on success. */
  async reject(id: string, reason: string): Promise<Failure | null> {
    try {
      await this.#client.call('proposal/reject', { id, reason: reason.trim() || null });
      await this.#decided(id);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }
}
