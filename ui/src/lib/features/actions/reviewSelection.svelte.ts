import { SvelteMap } from 'svelte/reactivity';
import type { ImportItem, Skill, Target } from '$lib/api/generated';
import { isImportable } from './agents';
import type { ImportChoices } from './importChoices.svelte';

/** A skill of another agent. */
export interface Candidate {
  id: string;
  item: ImportItem;
  chosen: boolean;
  /** Other folders with a skill of the same name. */
  elsewhere: string[];
  /** Can't be chosen, because another skill of the same name is. */
  isDuplicate: boolean;
}

export interface Group {
  target: Target.TargetSkills;
  candidates: Candidate[];
}

type Targets = readonly Target.TargetSkills[];

const idOf = (target: Target.TargetSkills, item: ImportItem): string => `${target.path}\n${item.path}`;

/** The candidates by slug that can be imported, first those of the first folder. */
function bySlug(targets: Targets): Map<string, { id: string; path: string; isNew: boolean }[]> {
  const slugs = new Map<string, { id: string; path: string; isNew: boolean }[]>();
  for (const target of targets) {
    for (const item of target.skills) {
      if (item.slug === null || !isImportable(item)) continue;
      const candidates = slugs.get(item.slug) ?? [];
      slugs.set(item.slug, [...candidates, { id: idOf(target, item), path: target.path, isNew: item.status === 'new' }]);
    }
  }
  return slugs;
}

/** Which skills of other agents are imported: by default, of each name the first that is new. */
export class ReviewSelection {
  /** How conflicts are resolved. */
  readonly choices: ImportChoices;
  /** By candidate; the others have the default. */
  readonly #decided = new SvelteMap<string, boolean>();
  readonly #targets: () => Targets;
  readonly groups = $derived.by(() => this.#groups());
  readonly chosen = $derived(this.groups.flatMap(({ candidates }) => candidates.filter((one) => one.chosen)));
  readonly importable = $derived(this.groups.flatMap(({ candidates }) => candidates.filter(({ item }) => isImportable(item))));

  constructor(targets: () => Targets, choices: ImportChoices) {
    this.#targets = targets;
    this.choices = choices;
  }

  choose(candidate: Candidate, chosen: boolean): void {
    if (candidate.isDuplicate || !isImportable(candidate.item)) return;
    this.#decided.set(candidate.id, chosen);
    this.choices.want(candidate.item, chosen);
  }

  /** Resolves a conflict; `skip` deselects the skill. */
  resolve(candidate: Candidate, resolution: Skill.ImportAction): void {
    if (candidate.isDuplicate) return;
    this.choose(candidate, resolution !== 'skip');
    this.choices.set(candidate.item, resolution);
  }

  /** Restores the default, or deselects all. */
  chooseAll(chosen: boolean): void {
    this.#decided.clear();
    if (!chosen) for (const { id } of this.importable) this.#decided.set(id, false);
  }

  clear(): void {
    this.#decided.clear();
    this.choices.clear();
  }

  #groups(): Group[] {
    const slugs = bySlug(this.#targets());
    const chosenOf = new Map(
      [...slugs].map(([slug, candidates]) => {
        const decided = candidates.find(({ id }) => this.#decided.get(id) === true);
        return [slug, (decided ?? candidates.find(({ id, isNew }) => isNew && !this.#decided.has(id)))?.id];
      }),
    );
    return this.#targets().map((target) => ({
      target,
      candidates: target.skills.map((item) => {
        const id = idOf(target, item);
        const slug = isImportable(item) ? item.slug : null;
        const chosen = slug === null ? undefined : chosenOf.get(slug);
        const elsewhere = slug === null ? [] : (slugs.get(slug) ?? []).map(({ path }) => path).filter((path) => path !== target.path);
        return { id, item, chosen: chosen === id, elsewhere, isDuplicate: chosen !== undefined && chosen !== id };
      }),
    }));
  }
}
