import { asFailure, type Client } from '$lib/api';
import type { Client as Clients, Failure } from '$lib/api/generated';

/** The AI clients of this computer, and whether they use our MCP server. */
export class ClientList {
  /** Null until they are read. */
  list = $state.raw<readonly Clients.ClientEntry[] | null>(null);
  /** Whether the program that clients start is installed. */
  canConnect = $state(true);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  #request = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  async load(): Promise<void> {
    const request = ++this.#request;
    try {
      const { clients, program } = await this.#client.call('client/list', {});
      if (request === this.#request) [this.list, this.canConnect, this.failure] = [clients, program !== null, null];
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
  }

  /** Forgets the clients: their project files depend on the workspace. */
  reset(): void {
    this.#request += 1;
    [this.list, this.failure] = [null, null];
  }
}
