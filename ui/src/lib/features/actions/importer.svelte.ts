import { asFailure, type Catalog, type Client } from '$lib/api';
import type { Failure, ImportItem, ImportStatus, Scope } from '$lib/wire';

/** Import of skill folders: first what would happen, then, if wanted, it does. */
export class Importer {
  /** Skill folders, or folders of them. Null while nothing is imported. */
  paths = $state.raw<readonly string[] | null>(null);
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

  async preview(paths: readonly string[], scope: Scope): Promise<void> {
    this.paths = paths;
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
    this.paths = null;
    this.items = null;
    this.failure = null;
  }

  async #run(dryRun: boolean): Promise<void> {
    const { paths, scope } = this;
    if (paths === null) return;
    this.busy = true;
    this.failure = null;
    try {
      const { items } = await this.#client.call('skill/import', { paths: [...paths], scope, dry_run: dryRun });
      if (this.paths === paths) this.items = items;
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}
