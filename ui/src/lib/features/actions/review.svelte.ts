import { asFailure, type Catalog, type Client } from '$lib/api';
import type { Failure, ImportItem, Scope, Target } from '$lib/api/generated';
import { newSlugs } from './agents';
import { ImportChoices } from './importChoices.svelte';
import { ReviewSelection } from './reviewSelection.svelte';

const scopeOf = (target: Target.TargetSkills): Scope => (target.of_workspace ? 'workspace' : 'account');

/** Lists the skills of other agents and imports the chosen ones. */
export class Review {
  open = $state(false);
  scope = $state<Scope>('account');
  targets = $state.raw<Target.TargetSkills[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  /** The imported skills; null until the import is done. */
  result = $state.raw<ImportItem[] | null>(null);
  readonly selection: ReviewSelection;
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #imported: () => void;
  #request = 0;

  constructor(client: Client, catalog: Catalog, imported: () => void) {
    this.#client = client;
    this.#catalog = catalog;
    this.#imported = imported;
    const choices = new ImportChoices(() => this.scope === 'account' && client.workspace !== null);
    this.selection = new ReviewSelection(() => this.targets ?? [], choices);
  }

  async start(): Promise<void> {
    this.open = true;
    this.result = null;
    this.selection.clear();
    await this.load();
  }

  close(): void {
    this.open = false;
    this.#request += 1;
    this.targets = null;
    this.result = null;
    this.failure = null;
  }

  /** Reads the folders. If all new skills are in folders of the workspace, they are imported into it. */
  async load(): Promise<void> {
    await this.#load((targets) => {
      const ofWorkspace = newSlugs(targets.filter(({ of_workspace }) => of_workspace));
      return ofWorkspace.length > 0 && ofWorkspace.length === newSlugs(targets).length ? 'workspace' : 'account';
    });
  }

  /** Reads the folders again: a skill that is new in one scope may be known in the other. */
  async setScope(scope: Scope): Promise<void> {
    this.scope = scope;
    this.selection.choices.clear();
    await this.#load(() => scope);
  }

  async apply(): Promise<void> {
    const { chosen, choices } = this.selection;
    const paths = chosen.map(({ item }) => item.path);
    const resolutions = choices.list(chosen.map(({ item }) => item).filter(({ status }) => status === 'conflict'));
    if (this.busy || paths.length === 0) return;
    this.busy = true;
    this.failure = null;
    try {
      this.result = (await this.#client.call('skill/import', { paths, scope: this.scope, ...(resolutions.length > 0 ? { choices: resolutions } : {}) })).items;
      this.#catalog.refresh();
      this.#imported();
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }

  async #load(scopeFor: (targets: readonly Target.TargetSkills[]) => Scope): Promise<void> {
    const request = (this.#request += 1);
    this.busy = true;
    this.failure = null;
    try {
      const { targets } = await this.#client.call('target/list', {});
      const scope = scopeFor(targets);
      const previewed = await this.#preview(scope, targets);
      if (request === this.#request) [this.scope, this.targets] = [scope, previewed];
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    } finally {
      if (request === this.#request) this.busy = false;
    }
  }

  /** The targets with the statuses of an import into `scope`. They come with those of each folder's own scope. */
  async #preview(scope: Scope, targets: readonly Target.TargetSkills[]): Promise<Target.TargetSkills[]> {
    return Promise.all(
      targets.map(async (target) => {
        if (scopeOf(target) === scope || target.skills.length === 0) return target;
        const paths = target.skills.map(({ path }) => path);
        return { ...target, skills: (await this.#client.call('skill/import', { paths, scope, dry_run: true })).items };
      }),
    );
  }
}
