import { type Catalog, type Client, LongCall } from '$lib/api';
import type { FetchedRepository, ImportedText, ImportItem, ImportReport, MergeVersions, Scope, Skill } from '$lib/api/generated';
import { ImportChoices } from './importChoices.svelte';

interface ImportOptions {
  scope: Scope;
  /** Renames a skill whose name another imported skill has. */
  rename: boolean;
  /** Locks new skills, so that they change only when they are imported again. */
  thirdParty: boolean;
  /** Where the paths are copies from. */
  repository: FetchedRepository | null;
  /** The skill that the imported one is a newer version of. */
  updates: string | null;
}

/** Imports skills. A dry run shows what would be stored. */
export class Importer {
  /** Skill folders, folders of them, or packages. Null while nothing is imported. */
  paths = $state.raw<readonly string[] | null>(null);
  /** Files that aren’t on the disk. */
  #texts: readonly ImportedText[] = [];
  readonly options = $state<ImportOptions>({ scope: 'account', rename: false, thirdParty: false, repository: null, updates: null });
  report = $state.raw<ImportReport | null>(null);
  /** Whether skills were stored; else the report is of a dry run. */
  applied = $state(false);
  readonly call: LongCall<'checking' | 'storing'>;
  readonly items = $derived<readonly ImportItem[] | null>(this.report?.items ?? null);
  readonly choices: ImportChoices;
  readonly #client: Client;
  readonly #catalog: Catalog;

  /** `writable`: a workspace is open that can be written to. */
  constructor(client: Client, catalog: Catalog, writable: () => boolean = () => client.workspace !== null) {
    this.#client = client;
    this.#catalog = catalog;
    this.call = new LongCall(client);
    this.choices = new ImportChoices(() => this.options.scope === 'account' && writable());
  }

  /** `texts` are imported instead of paths. */
  async start(paths: readonly string[], scope: Scope, { repository = null, updates = null, texts = [] }: Partial<ImportOptions> & { texts?: readonly ImportedText[] } = {}): Promise<void> {
    this.paths = texts.length > 0 ? texts.map(({ name }) => name) : paths;
    this.#texts = texts;
    this.options.thirdParty = false;
    await this.preview({ scope, rename: false, repository, updates });
  }

  /** Reads the report of a dry run. The choices are dropped, since they may mean something else with other options. */
  async preview(options: Partial<ImportOptions> = {}): Promise<void> {
    this.call.abandon();
    Object.assign(this.options, options);
    this.applied = false;
    this.report = null;
    this.choices.clear();
    await this.#run('checking', { dry_run: true });
  }

  async apply(): Promise<void> {
    if (this.call.busy || this.items === null) return;
    const choices = this.choices.changed ? { choices: this.choices.list(this.items), only_chosen: true } : {};
    const source = this.options.thirdParty ? { third_party: true } : {};
    if (!(await this.#run('storing', { dry_run: false, ...source, ...choices }))) return;
    this.applied = true;
    this.#catalog.refresh();
  }

  /** Base, ours and theirs of a file of an update or a conflict. */
  versions({ path, skill, base }: ImportItem, file: string): Promise<MergeVersions> {
    const texts = this.#texts.length > 0 ? { texts: [...this.#texts] } : {};
    return this.#client.call('import/file', { path, skill: skill ?? '', scope: this.options.scope, base, file, ...texts });
  }

  close(): void {
    this.call.abandon();
    this.paths = null;
    this.#texts = [];
    this.report = null;
    this.applied = false;
    this.choices.clear();
  }

  /** False if it failed or was replaced. After `close` the task list shows how a started import ends. */
  async #run(doing: 'checking' | 'storing', params: Partial<Skill.ImportParams>): Promise<boolean> {
    const { paths } = this;
    if (paths === null) return false;
    const { scope, rename, repository, updates } = this.options;
    const options = { ...(rename ? { rename } : {}), ...(repository ? { repositories: [repository] } : {}), ...(updates ? { updates } : {}) };
    const from = this.#texts.length > 0 ? { texts: [...this.#texts] } : { paths: [...paths] };
    const report = await this.call.run(doing, 'skill/import', { ...from, scope, ...options, ...params });
    if (report !== null) this.report = report;
    return report !== null;
  }
}
