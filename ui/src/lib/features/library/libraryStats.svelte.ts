import { asFailure, type Client, Latest } from '$lib/api';
import type { Failure, Library } from '$lib/api/generated';

/** Numbers about all skills. */
export class LibraryStats {
  value = $state.raw<Library.LibraryStats | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());

  constructor(client: Client) {
    this.#client = client;
  }

  refresh(): void {
    this.#latest.ask();
  }

  async #read(): Promise<void> {
    try {
      this.value = await this.#client.call('library/stats', {});
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }
}
