import { asFailure, type Client, type ChangeFeed, Latest } from '$lib/api';
import type { Failure, RecentEntry } from '$lib/api/generated';

/** The workspaces that were opened, and which of them the person trusts. */
export class WorkspaceList {
  /** Null while they are read. */
  list = $state.raw<readonly RecentEntry[] | null>(null);
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

  /** Rejects where it can't be recorded. */
  async trust(path: string, trusted: boolean): Promise<void> {
    await this.#client.call('workspace/trust', { trusted, path });
    await this.#read();
  }

  async forget(path: string): Promise<void> {
    await this.#client.call('workspace/forget', { path });
    await this.#read();
  }

  /** Puts a forgotten workspace back, with the trust that it had. */
  async remember({ path, trusted }: RecentEntry): Promise<void> {
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
