import { asFailure, type Client, Debounce, Latest } from '$lib/api';
import type { Failure, PageChanges, PagesStatus } from '$lib/api/generated';

const POLL_MS = 200;

/** How the index stands. It is asked about while something waits for it, and while someone else makes it. */
export class Indexing {
  status = $state.raw<PagesStatus | null>(null);
  refreshing = $state(false);
  readonly progress = $derived(this.status?.progress ?? null);
  #waiting = 0;
  /** Another workspace's answer is dropped. */
  #place = 0;
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
    this.#place += 1;
    this.#waiting = 0;
    this.#soon.cancel();
    this.status = null;
  }

  /** Tells how far it is while `work` waits for the index. */
  async during<T>(work: Promise<T>): Promise<T> {
    const place = this.#place;
    this.#waiting += 1;
    this.#soon.touch();
    try {
      return await work;
    } finally {
      if (place === this.#place) {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#soon.cancel();
        this.#latest.ask();
      }
    }
  }

  /** Compares the folder with the index now. */
  async refresh(): Promise<PageChanges | Failure> {
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
    const place = this.#place;
    try {
      const status = await this.#client.call('page/status', {});
      if (place === this.#place) this.status = status;
    } catch {
      // What waits for the index says itself what is wrong.
    }
    if (place === this.#place && (this.#waiting > 0 || this.progress !== null)) this.#soon.touch();
  }
}
