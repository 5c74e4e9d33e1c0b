import { asFailure, type Client, LongCall, type SkillKey } from '$lib/api';
import type { Failure, Scope } from '$lib/api/generated';
import type { Importer } from './importer.svelte';

/** Asks where to import from, and fetches repositories. */
export class ImportSource {
  open = $state(false);
  /** URL of a repository. */
  address = $state('');
  /** Branch or tag; empty for the default branch. */
  branch = $state('');
  /** Title of the skill that is updated. Null if skills are imported. */
  updated = $state<string | null>(null);
  readonly call: LongCall<'fetching'>;
  readonly #client: Client;
  readonly #importer: Importer;
  readonly #defaultScope: () => Scope;
  #updated: SkillKey | null = null;
  #folder: string | null = null;

  constructor(client: Client, importer: Importer, defaultScope: () => Scope) {
    this.#client = client;
    this.#importer = importer;
    this.#defaultScope = defaultScope;
    this.call = new LongCall(client);
  }

  choose(): void {
    [this.updated, this.#updated, this.#folder] = [null, null, null];
    this.open = true;
  }

  /** Fetches the repository and shows what an import would change. */
  async fetch(): Promise<void> {
    const address = this.address.trim();
    if (address === '' || this.call.busy) return;
    const branch = this.branch.trim() || null;
    const fetched = await this.call.run('fetching', 'import/fetch', { address, branch, folder: this.#folder });
    if (fetched === null) return;
    const updated = this.#updated;
    this.close();
    await this.#importer.start([fetched.path], updated?.scope ?? this.#defaultScope(), { repository: fetched, updates: updated?.id ?? null });
  }

  /** Imports a newer version of a skill from where it was imported. */
  async update(skill: SkillKey, title: string): Promise<Failure | null> {
    const { id, scope } = skill;
    try {
      const { repository: source, name } = await this.#client.call('import/source', { skill: id, scope });
      if (source === null) {
        void this.#importer.start([name], scope, { updates: id });
        return null;
      }
      [this.address, this.branch, this.updated] = [source.url, source.branch ?? '', title];
      [this.#updated, this.#folder] = [skill, source.folder];
      this.open = true;
      void this.fetch();
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  close(): void {
    this.call.abandon();
    this.open = false;
    [this.address, this.branch] = ['', ''];
  }
}
