import { asFailure, type Client, LongCall } from '$lib/api';
import type { Failure, Registry } from '$lib/api/generated';

/** The registries that the user added, and their sync. */
export class RegistryList {
  /** By priority; null until they are read. */
  list = $state.raw<readonly Registry.RegistryInfo[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly sync: LongCall<'sync'>;
  readonly enabled = $derived((this.list ?? []).filter((one) => one.enabled));
  /** Whether any of them was ever synced. */
  readonly isSynced = $derived(this.enabled.some((one) => one.synced_at !== null));
  readonly #client: Client;
  #request = 0;

  constructor(client: Client) {
    this.#client = client;
    this.sync = new LongCall(client);
  }

  /** Whether something changed since it was read last. */
  async load(): Promise<boolean> {
    const request = ++this.#request;
    try {
      const list = await this.#client.call('registry/list', {});
      if (request !== this.#request) return false;
      this.failure = null;
      // The same list while nothing changes, so that nothing is drawn again.
      if (JSON.stringify(list) === JSON.stringify(this.list)) return false;
      this.list = list;
      return true;
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
      return false;
    }
  }

  /** Syncs one, or all that are enabled. Null if it failed as a whole or was canceled. */
  async syncNow(registry: string | null = null): Promise<Registry.SyncOutcome | null> {
    if (this.sync.busy) return null;
    const outcome = await this.sync.run('sync', 'registry/sync', registry === null ? {} : { registry });
    await this.load();
    return outcome;
  }

  /** Null on success. */
  async change(change: Registry.ChangeRegistryParams): Promise<Failure | null> {
    try {
      await this.#client.call('registry/change', change);
      await this.load();
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Null on success. */
  async remove(registry: string): Promise<Failure | null> {
    try {
      await this.#client.call('registry/remove', { registry });
      await this.load();
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Adds a removed registry again, with all that was set. Throws. */
  async restore({ id, address, fingerprint, mirrors, priority, enabled, updates_built_in }: Registry.RegistryInfo): Promise<void> {
    await this.#client.call('registry/add', { address, fingerprint, mirrors, priority });
    if (!enabled || updates_built_in) await this.#client.call('registry/change', { registry: id, enabled, updates_built_in });
    await this.load();
  }

  titleOf(id: string): string {
    return this.list?.find((one) => one.id === id)?.title ?? id;
  }
}
