import { SvelteSet } from 'svelte/reactivity';
import { type Catalog, type SkillKey, skillKey, type SkillOverview } from '$lib/api';
import { matchText } from '$lib/domain';

const MAX_ROWS = 100;

/** The stored skills to publish. Locked ones belong to somebody else. */
export class SkillChoice {
  query = $state('');
  /** The skills that were chosen at first come first, so that they are in view. */
  #first = $state.raw<ReadonlySet<string>>(new Set());
  readonly #keys = new SvelteSet<string>();
  readonly #catalog: Catalog;
  /** Without the locked ones. */
  readonly all = $derived.by<readonly SkillOverview[]>(() => {
    const own = this.#catalog.skills.filter(({ locked }) => !locked);
    const isFirst = (skill: SkillOverview): boolean => this.#first.has(skillKey(skill));
    return [...own.filter(isFirst), ...own.filter((skill) => !isFirst(skill))];
  });
  readonly #matches = $derived(this.all.filter(({ name, slug }) => matchText(this.query, name) ?? matchText(this.query, slug)));
  readonly rows = $derived(this.#matches.slice(0, MAX_ROWS));
  /** Number of matches that aren’t among the rows. */
  readonly more = $derived(this.#matches.length - this.rows.length);
  readonly chosen = $derived(this.all.filter((skill) => this.#keys.has(skillKey(skill))));

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  start(skills: readonly SkillKey[]): void {
    this.query = '';
    this.#keys.clear();
    for (const skill of skills) this.#keys.add(skillKey(skill));
    this.#first = new Set(this.#keys);
  }

  has(skill: SkillKey): boolean {
    return this.#keys.has(skillKey(skill));
  }

  toggle(skill: SkillKey, on: boolean): void {
    if (on) this.#keys.add(skillKey(skill));
    else this.#keys.delete(skillKey(skill));
  }
}
