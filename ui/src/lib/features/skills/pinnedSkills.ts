import type { Services } from '$lib/workbench/services';

const KEY = 'chat.pinned_skills';

/** Skills that come first in the list that a model gets in a chat, by name. */
export class PinnedSkills {
  readonly #settings: Services['settings'];

  constructor(settings: Services['settings']) {
    this.#settings = settings;
  }

  get #all(): readonly string[] {
    const stored = this.#settings.get(KEY);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  }

  has(slug: string): boolean {
    return this.#all.includes(slug);
  }

  set(slug: string, on: boolean): void {
    const others = this.#all.filter((one) => one !== slug);
    const all = on ? [...others, slug] : others;
    this.#settings.set(KEY, all.length === 0 ? null : all);
  }
}
