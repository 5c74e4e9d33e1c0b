import type { SkillOverview } from '$lib/api';
import { discardChanges, type Document, type DocumentKey, keepOurs, type Tab } from '$lib/features/editor';
import type { RunTarget } from '$lib/features/run';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'catalog' | 'client' | 'notifications' | 'symbols' | 'tabs' | 'toasts' | 'workspace'>;

/** Saves, discards and closes open documents. */
export class DocumentsController {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  skillOf(document: Document): SkillOverview | undefined {
    return this.#services.catalog.summary(document.file.skill);
  }

  /** Why no document of the scope can be edited; null if they can. */
  readOnlyReason(document: Document): string | null {
    const readOnly = document.file.skill.scope === 'workspace' && this.#services.workspace.current?.writable === false;
    return readOnly ? 'This workspace is read-only.' : null;
  }

  async save(document = this.#services.tabs.document): Promise<void> {
    if (!document) return;
    // Text that was typed during another save is saved after it.
    await document.sync.idle;
    if (!document.content.dirty) return;
    const { external } = document.conflict;
    // Nothing is overwritten.
    if (external?.theirs === null) return this.keepOurs(document);
    if (external) {
      // Saving without a comparison would overwrite the external change.
      document.conflict.show();
      return;
    }
    await this.#services.symbols.beforeSave(document);
    if (!(await document.sync.save())) this.#reportUnsaved(document);
  }

  /** Saves the text, or `text`, over what was changed elsewhere. A deleted file is written anew. */
  async keepOurs(document: Document, text?: string): Promise<void> {
    if (!this.skillOf(document)) {
      this.#services.toasts.show(`Couldn’t save ${document.file.path}: the skill was deleted`, {
        tone: 'error',
        actions: [{ label: 'Restore skill', run: () => this.restoreSkill(document) }],
      });
    } else if (!(await keepOurs(document, text))) this.#reportUnsaved(document);
  }

  /** Restores the deleted skill of a document, which stays in front. */
  async restoreSkill({ file }: Document): Promise<void> {
    const { actions, client, notifications, tabs } = this.#services;
    const { id, scope } = file.skill;
    try {
      const { skills } = await client.call('skill/deleted', {});
      const deleted = skills.find((one) => one.id === id && one.scope === scope);
      await actions.structure.restore([{ id, scope, name: deleted?.name ?? 'the skill' }]);
      tabs.open(file.key);
    } catch (cause) {
      notifications.report('Couldn’t restore the skill', cause);
    }
  }

  /** Text that was changed elsewhere waits for a decision. */
  async saveAll(): Promise<void> {
    for (const document of this.#services.tabs.documents.list) {
      if (document.content.dirty && (document.conflict.external?.theirs ?? null) === null) await this.save(document);
    }
  }

  /** A run executes what is stored: saves unsaved text of `paths` first, of the whole skill if it is null. Other files stay as they are. */
  async saveForRun({ scope, skillId }: Pick<RunTarget, 'scope' | 'skillId'>, paths: readonly string[] | null): Promise<boolean> {
    const unsaved = this.#services.tabs.documents.unsaved({ scope, id: skillId });
    for (const document of unsaved.filter(({ file }) => paths === null || paths.includes(file.path))) {
      await this.save(document);
      if (document.content.dirty) return false;
    }
    return true;
  }

  async discard(document = this.#services.tabs.document): Promise<void> {
    if (!document?.content.dirty) return;
    const text = await discardChanges(document);
    this.#services.toasts.show(`Discarded the changes to ${document.file.path}`, {
      actions: [{ label: 'Undo', run: () => this.#replaceText(document.file.key, text) }],
    });
  }

  closeTab(id = this.#services.tabs.groups.active.activeId): void {
    if (id === null) return;
    const document = this.#services.tabs.close(id);
    if (!document?.content.dirty) return;
    const { key } = document.file;
    this.#services.toasts.show(`${key.path} has unsaved changes, kept as a draft`, {
      actions: [
        { label: 'Reopen', run: () => this.#services.tabs.open(key) },
        {
          label: 'Discard',
          run: () => this.#discardDraft(key),
        },
      ],
    });
  }

  async #discardDraft(key: DocumentKey): Promise<void> {
    const { catalog, client, notifications, tabs } = this.#services;
    const open = tabs.documents.get(key);
    if (open) return this.discard(open);
    try {
      await client.call('draft/discard', { skill: key.skillId, scope: key.scope, path: key.path });
      catalog.drafts.refresh();
    } catch (cause) {
      notifications.report('Couldn’t discard the draft', cause);
    }
  }

  /** The document may have been closed meanwhile, also if its file is open again. */
  async #replaceText(key: DocumentKey, text: string): Promise<void> {
    const document = this.#services.tabs.open(key);
    await document.load();
    document.content.replace(text);
  }

  /** A conflict is shown instead. */
  #reportUnsaved(document: Document): void {
    if (document.conflict.shown || document.sync.saving) return;
    this.#services.notifications.report(`Couldn’t save ${document.file.path}`, document.sync.failure, () => this.save(document));
  }

  closeTabs(which: (tab: Tab) => boolean): void {
    for (const tab of this.#services.tabs.groups.tabs.filter(which)) this.closeTab(tab.id);
  }
}
