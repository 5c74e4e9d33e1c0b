import { asFailure, type Client, type Models } from '$lib/api';
import type { Failure, Model } from '$lib/api/generated';

/** Finds model servers on this machine, only when asked to. */
export class ServerDiscovery {
  servers = $state.raw<Model.LocalServer[] | null>(null);
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Servers that aren't set up yet. */
  readonly found = $derived.by(() => {
    const known = new Set(this.#models.setup?.providers.map((one) => one.address));
    return (this.servers ?? []).filter((server) => !known.has(server.base_url));
  });
  readonly #client: Client;
  readonly #models: Models;

  constructor(client: Client, models: Models) {
    this.#client = client;
    this.#models = models;
  }

  async start(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      this.servers = (await this.#client.call('model/discover', {})).servers;
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}
