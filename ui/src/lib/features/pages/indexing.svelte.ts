import { asFailure, type Client, Debounce, Latest } from '$lib/api';
import type { Failure, Page } from '$lib/api/generated';

const POLL_MS = 200;

/** The status of the page index, polled while a call waits for it or another process builds it. */
export class Indexing {
  status = $state.raw<Page.PagesStatus | null>(null);
  refreshing = $state(false);
  readonly progress = $derived(this.status?.progress ?? null);
  #waiting = 0;
  /** Incremented when another workspace opens: replies for the one before are dropped. */
  #epoch = 0;
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  readonly #soon = new Debounce(POLL_MS, () => this.#latest.ask());

  constructor(client: Client) {
    this.#client = client;
  }

  ask(): void {
    this.#latest.ask();
  }

  reset(): void {
    this.#epoch += 1;
    this.#waiting = 0;
    this.#soon.cancel();
    this.status = null;
  }

  /** Polls the progress while `work` waits for the index. */
  async during<T>(work: Promise<T>): Promise<T> {
    const epoch = this.#epoch;
    this.#waiting += 1;
    this.#soon.touch();
    try {
      return await work;
    } finally {
      if (epoch === this.#epoch) {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#soon.cancel();
        this.#latest.ask();
      }
    }
  }

  /** Updates the index from the folder now. */
  async refresh(): Promise<Page.PageChanges | Failure> {
    this.refreshing = true;
    try {
      return await this.during(this.#client.call('page/refresh', {}));
    } catch (cause) {
      return asFailure(cause);
    } finally {
      this.refreshing = false;
    }
  }

  async #read(): Promise<void> {
    const epoch = this.#epoch;
    try {
      const status = await this.#client.call('page/status', {});
      if (epoch === this.#epoch) this.status = status;
    } catch {
      // The call that waits for the index reports what is wrong.
    }
    if (epoch === this.#epoch && (this.#waiting > 0 || this.progress !== null)) this.#soon.touch();
  }
}
