import { type Catalog, type Client, LongCall } from '$lib/api';
import type { ImportItem, ImportParams, ImportReport, ImportStatus, Scope, ThreeFiles } from '$lib/api/generated';
import { ImportChoices } from './importChoices.svelte';

/** Import of skills: first what would happen, then, if wanted, what was chosen of it. */
export class Importer {
  /** Skill folders, folders of them, or packages. Null while nothing is imported. */
  paths = $state.raw<readonly string[] | null>(null);
  scope = $state<Scope>('account');
  /** A skill whose name another one of them has gets another name. */
  rename = $state(false);
  /** New skills are kept as those of a third party: locked, changed only by importing them again. */
  thirdParty = $state(false);
  report = $state.raw<ImportReport | null>(null);
  applied = $state(false);
  readonly call: LongCall<'looking' | 'storing'>;
  readonly items = $derived<readonly ImportItem[] | null>(this.report?.items ?? null);
  readonly counts = $derived.by(() => {
    const counts = new Map<ImportStatus, number>();
    for (const { status } of this.items ?? []) counts.set(status, (counts.get(status) ?? 0) + 1);
    return counts;
  });
  readonly duplicates = $derived((this.items ?? []).some(({ diagnostics }) => diagnostics.some(({ rule }) => rule === 'import/duplicate')));
  readonly choices: ImportChoices;
  /** How many would be stored. */
  readonly changes = $derived.by(() => this.#count());
  readonly #client: Client;
  readonly #catalog: Catalog;

  /** `writable`: a workspace is open that can be written to. */
  constructor(client: Client, catalog: Catalog, writable: () => boolean = () => client.workspace !== null) {
    this.#client = client;
    this.#catalog = catalog;
    this.call = new LongCall(client);
    this.choices = new ImportChoices(() => this.scope === 'account' && writable());
  }

  async preview(paths: readonly string[], scope: Scope): Promise<void> {
    this.paths = paths;
    this.scope = scope;
    this.rename = false;
    this.thirdParty = false;
    await this.look();
  }

  /** Looks again, with other goals; what was chosen is forgotten where it may mean something else now. */
  async look({ scope = this.scope, rename = this.rename }: { scope?: Scope; rename?: boolean } = {}): Promise<void> {
    this.call.drop();
    this.scope = scope;
    this.rename = rename;
    this.applied = false;
    this.report = null;
    this.choices.clear();
    await this.#run('looking', { dry_run: true });
  }

  async apply(): Promise<void> {
    if (this.call.busy || this.items === null) return;
    const chosen = this.choices.changed ? { choices: this.choices.list(this.items), only_chosen: true } : {};
    const kept = this.thirdParty ? { third_party: true } : {};
    if (!(await this.#run('storing', { dry_run: false, ...kept, ...chosen }))) return;
    this.applied = true;
    this.#catalog.refresh();
  }

  /** A file of an update or a conflict, as it was, is here and arrives. */
  sides({ path, skill, base }: ImportItem, file: string): Promise<ThreeFiles> {
    return this.#client.call('import/file', { path, skill: skill ?? '', scope: this.scope, base, file });
  }

  close(): void {
    this.call.drop();
    this.paths = null;
    this.report = null;
    this.applied = false;
    this.choices.clear();
  }

  /** False when it failed, or when something else was asked for meanwhile: someone who closed it while it stored sees it in the list of tasks. */
  async #run(doing: 'looking' | 'storing', more: Partial<ImportParams>): Promise<boolean> {
    const { paths, scope, rename } = this;
    if (paths === null) return false;
    const report = await this.call.run(doing, 'skill/import', { paths: [...paths], scope, ...(rename ? { rename } : {}), ...more });
    if (report !== null) this.report = report;
    return report !== null;
  }

  #count(): number {
    return (this.items ?? []).filter((item) => this.choices.of(item) !== 'skip').length;
  }
}
