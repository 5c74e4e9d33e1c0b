import { SvelteMap } from 'svelte/reactivity';
import type { Failure } from '$lib/api/generated';
import type { Client } from './client';
import { asFailure } from './failure';
import type { ChangeFeed } from './changeFeed';
import { Debounce } from './timing';

/** The settings of the account, read once and kept current. Writes are sent soon after, the last value winning. */
export class Settings {
  failure = $state.raw<Failure | null>(null);
  readonly #values = new SvelteMap<string, unknown>();
  readonly #pending = new Map<string, Debounce>();
  readonly #writes = new Set<Promise<void>>();
  readonly #client: Client;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    feed.on('setting', () => void this.load());
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  async load(): Promise<void> {
    try {
      const { values } = await this.#client.call('settings/get', {});
      for (const key of new Set([...this.#values.keys(), ...Object.keys(values)])) {
        // What this window is about to write is newer.
        if (this.#pending.get(key)?.waiting) continue;
        if (key in values) this.#values.set(key, values[key]);
        else this.#values.delete(key);
      }
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  set(key: string, value: unknown, delay = 0): void {
    this.#values.set(key, value);
    const timer =
      this.#pending.get(key) ??
      new Debounce(delay, () => {
        const write = this.#write(key).finally(() => this.#writes.delete(write));
        this.#writes.add(write);
      });
    this.#pending.set(key, timer);
    timer.touch();
  }

  /** Sends what is waiting: the window is about to close. Resolves once the core has answered. */
  async flush(): Promise<void> {
    for (const timer of this.#pending.values()) timer.flush();
    await Promise.all(this.#writes);
  }

  async #write(key: string): Promise<void> {
    try {
      await this.#client.call('settings/set', { key, value: this.#values.get(key) });
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }
}
