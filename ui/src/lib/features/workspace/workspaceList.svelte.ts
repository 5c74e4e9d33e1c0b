import { asFailure, type Client, type ChangeFeed, Latest } from '$lib/api';
import type { Failure, Workspace } from '$lib/api/generated';

/** The recently opened workspaces, with their trust. */
export class WorkspaceList {
  /** Null until loaded. */
  list = $state.raw<readonly Workspace.RecentEntry[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  readonly #unsubscribe: () => void;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#unsubscribe = feed.on('workspace', () => this.#latest.ask());
    this.#latest.ask();
  }

  close(): void {
    this.#unsubscribe();
  }

  refresh(): void {
    this.#latest.ask();
  }

  /** Rejects if the decision can’t be stored. */
  async trust(path: string, trusted: boolean): Promise<void> {
    await this.#client.call('workspace/trust', { trusted, path });
    await this.#read();
  }

  async forget(path: string): Promise<void> {
    await this.#client.call('workspace/forget', { path });
    await this.#read();
  }

  /** Restores a forgotten workspace with its trust. */
  async remember({ path, trusted }: Workspace.RecentEntry): Promise<void> {
    await this.#client.call('workspace/open', { path });
    if (trusted) await this.trust(path, true);
    await this.#read();
  }

  async #read(): Promise<void> {
    try {
      this.list = (await this.#client.call('workspace/recent', {})).workspaces;
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }
}
