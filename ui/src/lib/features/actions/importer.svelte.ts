import { asFailure, type Catalog, type Client } from '$lib/api';
import type { Failure, ImportItem, ImportStatus, Scope } from '$lib/wire';

/** Import of skill folders: first what would happen, then, if wanted, it does. */
export class Importer {
  path = $state<string | null>(null);
  scope = $state<Scope>('account');
  items = $state.raw<ImportItem[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  applied = $state(false);
  readonly changes = $derived(this.items?.filter((item) => item.status === 'new' || item.status === 'update').length ?? 0);
  readonly counts = $derived.by(() => {
    const counts = new Map<ImportStatus, number>();
    for (const { status } of this.items ?? []) counts.set(status, (counts.get(status) ?? 0) + 1);
    return counts;
  });
  readonly #client: Client;
  readonly #catalog: Catalog;

  constructor(client: Client, catalog: Catalog) {
    this.#client = client;
    this.#catalog = catalog;
  }

  async preview(path: string, scope: Scope): Promise<void> {
    this.path = path;
    this.scope = scope;
    this.applied = false;
    this.items = null;
    await this.#run(true);
  }

  async apply(): Promise<void> {
    await this.#run(false);
    if (!this.failure) {
      this.applied = true;
      this.#catalog.refresh();
    }
  }

  close(): void {
    this.path = null;
    this.items = null;
    this.failure = null;
  }

  async #run(dryRun: boolean): Promise<void> {
    const { path, scope } = this;
    if (path === null) return;
    this.busy = true;
    this.failure = null;
    try {
      const { items } = await this.#client.call('skill/import', { paths: [path], scope, dry_run: dryRun });
      if (this.path === path) this.items = items;
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}
