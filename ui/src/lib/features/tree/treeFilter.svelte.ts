import type { SkillOverview } from '$lib/api';

/** The text that narrows the tree to the skills whose name, slug or a tag contains it. */
export class TreeFilter {
  text = $state('');
  /** Whether the field is shown. */
  shown = $state(false);
  readonly #query = $derived(this.text.trim().toLowerCase());

  get active(): boolean {
    return this.#query !== '';
  }

  matches(skill: SkillOverview): boolean {
    return !this.active || [skill.name, skill.slug, ...skill.tags].some((text) => text.toLowerCase().includes(this.#query));
  }
}
