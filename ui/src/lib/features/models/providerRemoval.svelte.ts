import { asFailure, type Client, type Models } from '$lib/api';
import type { Failure, Model } from '$lib/api/generated';

/** Removes a provider after confirmation. */
export class ProviderRemoval {
  /** The provider that a dialog asks about. */
  provider = $state.raw<Model.ProviderInfo | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #models: Models;
  readonly #removed: (name: string) => void;

  constructor(client: Client, models: Models, removed: (name: string) => void) {
    this.#client = client;
    this.#models = models;
    this.#removed = removed;
  }

  async confirm(): Promise<void> {
    const { provider } = this;
    if (!provider) return;
    try {
      await this.#client.call('model/remove', { name: provider.name });
      this.provider = null;
      this.failure = null;
      this.#removed(provider.name);
      await this.#models.load();
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }
}
