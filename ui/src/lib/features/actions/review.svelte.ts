import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Catalog, type Client } from '$lib/api';
import type { Failure, ImportItem, Scope, ImportAction, TargetSkills } from '$lib/api/generated';
import { isImportable, newSlugs } from './agents';
import { ImportChoices } from './importChoices.svelte';

/** A skill of another agent, and whether it is to be imported. */
export interface Candidate {
  id: string;
  item: ImportItem;
  chosen: boolean;
  /** Where else there is one of the same name. */
  elsewhere: string[];
  /** One of the same name is chosen instead: both can't be. */
  barred: boolean;
}

export interface Group {
  target: TargetSkills;
  candidates: Candidate[];
}

const scopeOf = (target: TargetSkills): Scope => (target.of_workspace ? 'workspace' : 'account');
const idOf = (target: TargetSkills, item: ImportItem): string => `${target.path}\n${item.path}`;

/** Looking through the skills of other agents, and importing those that are wanted. */
export class Review {
  open = $state(false);
  scope = $state<Scope>('account');
  targets = $state.raw<TargetSkills[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  /** What the import did. */
  result = $state.raw<ImportItem[] | null>(null);
  /** What is done with those that were changed here and there. */
  readonly choices: ImportChoices;
  /** What someone ticked or took the tick from; the others are as suggested. */
  readonly #decided = new SvelteMap<string, boolean>();
  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #imported: () => void;
  #wanted = 0;
  readonly groups = $derived.by(() => this.#groups());
  readonly chosen = $derived(this.groups.flatMap(({ candidates }) => candidates.filter((one) => one.chosen)));
  readonly choosable = $derived(this.groups.flatMap(({ candidates }) => candidates.filter(({ item }) => isImportable(item))));

  /** `imported`: something was, so what is left was left on purpose. */
  constructor(client: Client, catalog: Catalog, imported: () => void) {
    this.#client = client;
    this.#catalog = catalog;
    this.#imported = imported;
    this.choices = new ImportChoices(() => this.scope === 'account' && client.workspace !== null);
  }

  async start(): Promise<void> {
    this.open = true;
    this.result = null;
    this.#decided.clear();
    this.choices.clear();
    await this.read();
  }

  close(): void {
    this.open = false;
    this.#wanted += 1;
    this.targets = null;
    this.result = null;
    this.failure = null;
  }

  /** Looks into the folders. What is only new in the workspace's own is offered to the workspace. */
  async read(): Promise<void> {
    await this.#ask(async () => {
      const { targets } = await this.#client.call('target/list', {});
      const mine = newSlugs(targets.filter(({ of_workspace }) => of_workspace));
      const scope: Scope = mine.length > 0 && mine.length === newSlugs(targets).length ? 'workspace' : 'account';
      return { scope, targets: await this.#asIn(scope, targets) };
    });
  }

  /** Where they would go: what is new there may be known here. */
  async setScope(scope: Scope): Promise<void> {
    this.scope = scope;
    this.choices.clear();
    await this.#ask(async () => {
      const { targets } = await this.#client.call('target/list', {});
      return { scope, targets: await this.#asIn(scope, targets) };
    });
  }

  choose(candidate: Candidate, chosen: boolean): void {
    if (candidate.barred || !isImportable(candidate.item)) return;
    this.#decided.set(candidate.id, chosen);
    this.choices.want(candidate.item, chosen);
  }

  /** What is done with a conflict; nothing is not to choose it. */
  take(candidate: Candidate, take: ImportAction): void {
    if (candidate.barred) return;
    this.choose(candidate, take !== 'skip');
    this.choices.set(candidate.item, take);
  }

  /** The first of each name that is new, or none. */
  chooseAll(chosen: boolean): void {
    this.#decided.clear();
    if (!chosen) for (const { id } of this.choosable) this.#decided.set(id, false);
  }

  async apply(): Promise<void> {
    const paths = this.chosen.map(({ item }) => item.path);
    const choices = this.choices.list(this.chosen.map(({ item }) => item).filter(({ status }) => status === 'conflict'));
    if (this.busy || paths.length === 0) return;
    this.busy = true;
    this.failure = null;
    try {
      this.result = (await this.#client.call('skill/import', { paths, scope: this.scope, ...(choices.length > 0 ? { choices } : {}) })).items;
      this.#catalog.refresh();
      this.#imported();
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }

  /** What an import into `scope` would do; the list says it for where each folder belongs. */
  async #asIn(scope: Scope, targets: readonly TargetSkills[]): Promise<TargetSkills[]> {
    return Promise.all(
      targets.map(async (target) => {
        if (scopeOf(target) === scope || target.skills.length === 0) return target;
        const paths = target.skills.map(({ path }) => path);
        return { ...target, skills: (await this.#client.call('skill/import', { paths, scope, dry_run: true })).items };
      }),
    );
  }

  async #ask(read: () => Promise<{ scope: Scope; targets: TargetSkills[] }>): Promise<void> {
    const wanted = (this.#wanted += 1);
    this.busy = true;
    this.failure = null;
    try {
      const { scope, targets } = await read();
      if (wanted === this.#wanted) [this.scope, this.targets] = [scope, targets];
    } catch (cause) {
      if (wanted === this.#wanted) this.failure = asFailure(cause);
    } finally {
      if (wanted === this.#wanted) this.busy = false;
    }
  }

  #groups(): Group[] {
    const targets = this.targets ?? [];
    const places = new Map<string, string[]>();
    const taken = new Map<string, string>();
    for (const target of targets) {
      for (const item of target.skills) {
        if (item.slug === null || !isImportable(item)) continue;
        const id = idOf(target, item);
        places.set(item.slug, [...(places.get(item.slug) ?? []), target.path]);
        if (this.#decided.get(id) === true && !taken.has(item.slug)) taken.set(item.slug, id);
      }
    }
    for (const target of targets) {
      for (const item of target.skills) {
        const id = idOf(target, item);
        if (item.slug !== null && item.status === 'new' && !this.#decided.has(id) && !taken.has(item.slug)) taken.set(item.slug, id);
      }
    }
    return targets.map((target) => ({
      target,
      candidates: target.skills.map((item) => {
        const id = idOf(target, item);
        const first = item.slug !== null && isImportable(item) ? taken.get(item.slug) : undefined;
        const elsewhere = isImportable(item) ? (places.get(item.slug ?? '') ?? []).filter((path) => path !== target.path) : [];
        return { id, item, chosen: first === id, elsewhere, barred: first !== undefined && first !== id };
      }),
    }));
  }
}
