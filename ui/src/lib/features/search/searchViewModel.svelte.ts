import type { SkillKey } from '$lib/api';
import { Replacing, Search } from '$lib/features/search';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'client' | 'documents' | 'feed' | 'files' | 'tabs' | 'toasts'>;

/** Connects search and replace with tabs and drafts. */
export class SearchViewModel {
  readonly search: Search;
  readonly replacing: Replacing;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.search = new Search(services.client, services.feed, {
      open: (key, path, { line, column, end_line, end_column }, how) => {
        const at = { line, column, to: { line: end_line, column: end_column } };
        services.files.open(key, path, { at, preview: how !== 'open', focus: how !== 'glance' });
      },
    });
    this.replacing = new Replacing(services.client, services.toasts, this.search, {
      unsaved: (key, path) => this.unsaved(key, path),
      keep: () => services.tabs.session.keepAll(),
      nameOf: (key) => services.catalog.summary(key)?.name ?? 'A skill',
      put: ({ skill }) => services.catalog.details.put(skill),
    });
  }

  unsaved(key: SkillKey, path: string): boolean {
    const document = this.#services.tabs.documents.get({ scope: key.scope, skillId: key.id, path });
    return document ? document.content.dirty : this.#services.catalog.drafts.has(key, path);
  }

  /** Saves a file, or all files of a skill, and searches again. Drafts without a tab are opened instead. */
  async save(key: SkillKey, path?: string): Promise<void> {
    const { tabs, catalog } = this.#services;
    const mine = tabs.documents.unsaved(key).filter((one) => one.file.path === (path ?? one.file.path));
    for (const document of mine) await this.#services.documents.save(document);
    for (const draft of catalog.drafts.list) {
      const isMine = draft.skill_id === key.id && draft.scope === key.scope && draft.path === (path ?? draft.path);
      if (isMine && !tabs.documents.get({ scope: key.scope, skillId: key.id, path: draft.path })) {
        this.replacing.cancel();
        this.#services.files.open(key, draft.path);
      }
    }
    this.search.results.again();
  }
}
