import type { Catalog, SkillOverview } from '$lib/api';
import { matchText } from '$lib/domain';

const SHOWN = 50;

/** Chooses a skill in a palette. */
export class SkillPick {
  query = $state('');
  readonly choices = $derived.by(() => this.#find());
  #chosen: (skill: SkillOverview) => unknown = () => undefined;
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  start(chosen: (skill: SkillOverview) => unknown): void {
    this.query = '';
    this.#chosen = chosen;
  }

  choose(skill: SkillOverview): void {
    this.#chosen(skill);
  }

  #find(): SkillOverview[] {
    const query = this.query.trim();
    const found = this.#catalog.skills.flatMap((skill) => {
      const match = matchText(query, skill.name) ?? matchText(query, skill.slug);
      return match ? [{ skill, score: match.score }] : [];
    });
    if (query !== '') found.sort((a, b) => b.score - a.score);
    return found.slice(0, SHOWN).map(({ skill }) => skill);
  }
}
