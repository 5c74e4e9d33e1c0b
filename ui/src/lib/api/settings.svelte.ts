import { SvelteMap } from 'svelte/reactivity';
import type { ChangeEvent, Failure } from '$lib/api/generated';
import type { Client } from './client';
import { asFailure } from './failure';
import type { ChangeFeed } from './changeFeed';
import { Debounce } from './timing';

/** Begins the keys of what is typed: it changes all the time, and is read only when a workspace opens. */
export const TYPED_SETTINGS = 'ui.typed-';

/** Whether settings changed that are more than what somebody types. */
export const isSettingsChange = ({ ids }: ChangeEvent): boolean => ids.length === 0 || ids.some((key) => !key.startsWith(TYPED_SETTINGS));

/** The settings of the account, read once and kept current. Writes are debounced. */
export class Settings {
  failure = $state.raw<Failure | null>(null);
  readonly #values = new SvelteMap<string, unknown>();
  readonly #pending = new Map<string, Debounce>();
  /** By key. One at a time: the core answers calls side by side, and an older value could be stored last. */
  readonly #writes = new Map<string, Promise<void>>();
  /** Counts requests and ended writes, which tells whether a reply may be older than a write. */
  #sequence = 0;
  #lastApplied = 0;
  /** By key, when its last write ended. */
  readonly #written = new Map<string, number>();
  readonly #client: Client;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    feed.on('setting', (event) => {
      if (isSettingsChange(event)) void this.load();
    });
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  async load(): Promise<void> {
    const request = ++this.#sequence;
    try {
      const { values } = await this.#client.call('settings/get', {});
      if (request < this.#lastApplied) return;
      this.#lastApplied = request;
      for (const key of new Set([...this.#values.keys(), ...Object.keys(values)])) {
        // What this window sets is newer, until a reply comes that was asked for after its write.
        if (this.#pending.get(key)?.waiting || this.#writes.has(key) || (this.#written.get(key) ?? 0) > request) continue;
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
        const write = (this.#writes.get(key) ?? Promise.resolve())
          .then(() => this.#write(key))
          .finally(() => {
            if (this.#writes.get(key) === write) this.#writes.delete(key);
          });
        this.#writes.set(key, write);
      });
    this.#pending.set(key, timer);
    timer.touch();
  }

  /** Sends pending writes, before the window closes. Resolves once the core has replied. */
  async flush(): Promise<void> {
    for (const timer of this.#pending.values()) timer.flush();
    await Promise.all(this.#writes.values());
  }

  async #write(key: string): Promise<void> {
    try {
      await this.#client.call('settings/set', { key, value: this.#values.get(key) });
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.#written.set(key, ++this.#sequence);
    }
  }
}
