import type { Document } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';
import type { SkillPage } from './skillPage.svelte';

type Needs = Pick<Services, 'documents' | 'tabs'>;

/** Editing the instructions on the skill page. The document is that of an editor tab, so that both show the same text. */
export class InlineEditing {
  #document = $state.raw<Document | null>(null);
  readonly #services: Needs;
  readonly #page: SkillPage;

  constructor(services: Needs, page: SkillPage) {
    this.#services = services;
    this.#page = page;
  }

  /** Null if the page shows another skill meanwhile. */
  get document(): Document | null {
    const [key, document] = [this.#page.key, this.#document];
    return document !== null && key?.id === document.file.skill.id && key.scope === document.file.skill.scope ? document : null;
  }

  start(): void {
    const { detail } = this.#page;
    const main = detail?.entries.find((entry) => entry.role === 'main');
    if (!detail || detail.locked || !main) return;
    this.#document = this.#services.tabs.open({ scope: detail.scope, skillId: detail.id, path: main.path }, { focus: false });
  }

  async save(): Promise<void> {
    if (this.document) await this.#services.documents.save(this.document);
  }

  /** Saves and shows the instructions again, unless there is a conflict to resolve. */
  async finish(): Promise<void> {
    const { document } = this;
    if (!document) return;
    await this.#services.documents.save(document);
    if (!document.content.dirty && document.conflict.shown === null) this.#document = null;
  }
}
