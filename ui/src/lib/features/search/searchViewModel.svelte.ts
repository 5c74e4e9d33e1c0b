import type { SkillKey } from '$lib/api';
import { Replacing, Search } from '$lib/features/search';
import type { Studio } from '$lib/app/studio.svelte';

/** Searching and replacing, connected with the window. */
export class SearchViewModel {
  readonly search: Search;
  readonly replacing: Replacing;
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
    this.search = new Search(studio.client, studio.feed, {
      open: (key, path, { line, column, end_line, end_column }, how) => {
        const at = { line, column, to: { line: end_line, column: end_column } };
        studio.files.open(key, path, { at, preview: how !== 'open', focus: how !== 'glance' });
      },
    });
    this.replacing = new Replacing(studio.client, studio.toasts, this.search, {
      unsaved: (key, path) => this.unsaved(key, path),
      keep: () => studio.tabs.keepAll(),
      nameOf: (key) => studio.catalog.summary(key)?.name ?? 'A skill',
      put: ({ skill }) => studio.catalog.put(skill),
    });
  }

  unsaved(key: SkillKey, path: string): boolean {
    const document = this.#studio.tabs.documentOf({ scope: key.scope, skillId: key.id, path });
    return document ? document.dirty : this.#studio.catalog.hasDraft(key, path);
  }

  /** Saves a file, or all of a skill, and searches again. What is in no tab is opened, to be looked at first. */
  async save(key: SkillKey, path?: string): Promise<void> {
    const { tabs, catalog } = this.#studio;
    const mine = tabs.unsaved(key).filter((one) => one.path === (path ?? one.path));
    for (const document of mine) await this.#studio.files.save(document);
    for (const draft of catalog.drafts) {
      const isMine = draft.skill_id === key.id && draft.scope === key.scope && draft.path === (path ?? draft.path);
      if (isMine && !tabs.documentOf({ scope: key.scope, skillId: key.id, path: draft.path })) {
        this.replacing.cancel();
        this.#studio.files.open(key, draft.path);
      }
    }
    this.search.again();
  }
}
