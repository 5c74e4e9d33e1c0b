import type { Brief, SkillKey } from '$lib/api';
import { pathFrom } from '$lib/domain';
import { mainOf } from '$lib/features/actions';
import type { Document, Goal as EditorGoal, Tab } from '$lib/features/editor';
import type { Goal } from '$lib/features/palette';
import type { Problem } from '$lib/features/problems';
import type { RunTarget } from '$lib/features/run';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'clipboard' | 'commands' | 'compare' | 'context' | 'editor' | 'files' | 'folders' | 'layout'
  | 'notifications' | 'overlays' | 'problems' | 'quickOpen' | 'symbols' | 'tabs' | 'toasts' | 'tree' | 'treeActions' | 'workspace'
>;

/** What is done with skills and their files in the window: opening, saving, closing, renaming, removing. */
export class FilesController {
  #recent: string[] = [];
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** The files that were opened last, newest first. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  open(key: SkillKey, path: string, options: { preview?: boolean; focus?: boolean; at?: EditorGoal; beside?: boolean } = {}): void {
    this.#services.layout.view = 'editor';
    this.#services.tabs.open({ scope: key.scope, skillId: key.id, path }, options);
    if (options.focus !== false) this.#services.tree.reveal(key, path);
    const file = `${key.scope}:${key.id}/${path}`;
    this.#recent = [file, ...this.#recent.filter((one) => one !== file)].slice(0, 30);
  }

  async openSkill(key: SkillKey, options: { beside?: boolean } = {}): Promise<void> {
    const detail = await this.#services.catalog.load(key);
    if (detail) this.open(key, mainOf(detail), options);
    else this.#services.notifications.report('Couldn’t open the skill', this.#services.catalog.detailFailure(key));
  }

  /** Opens what the quick open found, at the line that was typed with it. */
  openGoal({ key, path }: Goal, beside = false): void {
    const { spot } = this.#services.quickOpen;
    this.#services.overlays.close();
    if (path === null) void this.openSkill(key, { beside });
    else this.open(key, path, { beside, ...(spot ? { at: spot } : {}) });
  }

  /** Only a line was typed: of the file in front. */
  goToSpot(): void {
    const { quickOpen, tabs } = this.#services;
    const { document } = tabs;
    const { spot } = quickOpen;
    this.#services.overlays.close();
    if (document && spot) this.open({ scope: document.scope, id: document.skillId }, document.path, { at: spot });
  }

  skillOf(document: Document): Brief | undefined {
    return this.#services.catalog.summary({ scope: document.scope, id: document.skillId });
  }

  frozenOf(document: Document): string | null {
    const frozen = document.scope === 'workspace' && this.#services.workspace.current?.writable === false;
    return frozen ? 'This workspace is read-only.' : null;
  }

  async save(document = this.#services.tabs.document): Promise<void> {
    if (!document?.dirty) return;
    if (document.external) {
      // The other side is on screen already: saving without a look would overwrite it.
      document.compare();
      return;
    }
    await this.#services.symbols.beforeSave(document);
    const saved = await document.save();
    if (saved || document.conflict) return;
    this.#services.notifications.report(`Couldn’t save ${document.path}`, document.failure, () => this.save(document));
  }

  async saveAll(): Promise<void> {
    for (const document of this.#services.tabs.documents) if (document.dirty && !document.external) await this.save(document);
  }

  async discard(document = this.#services.tabs.document): Promise<void> {
    if (!document?.dirty) return;
    const text = await document.discard();
    this.#services.toasts.show(`Discarded the changes to ${document.path}`, {
      actions: [{ label: 'Undo', run: () => document.replace(text) }],
    });
  }

  closeTab(id = this.#services.tabs.activeId): void {
    if (id === null) return;
    const document = this.#services.tabs.close(id);
    if (!document?.dirty) return;
    const { scope, skillId, path } = document;
    this.#services.toasts.show(`${path} has unsaved changes, kept as a draft`, {
      actions: [
        { label: 'Reopen', run: () => this.#services.tabs.open({ scope, skillId, path }) },
        {
          label: 'Discard',
          run: () =>
            this.#services.client
              .call('draft/discard', { skill: skillId, scope, path })
              .then(() => this.#services.catalog.refreshDrafts())
              .catch((cause: unknown) => this.#services.notifications.report('Couldn’t discard the draft', cause)),
        },
      ],
    });
  }

  closeTabs(which: (tab: Tab) => boolean): void {
    for (const tab of this.#services.tabs.list.filter(which)) this.closeTab(tab.id);
  }

  openDrafts(): void {
    for (const draft of this.#services.catalog.drafts) this.open({ scope: draft.scope, id: draft.skill_id }, draft.path);
  }

  showProblem({ key, path, diagnostic }: Problem): void {
    const at = diagnostic.line === null ? null : { line: diagnostic.line, column: diagnostic.column ?? 1 };
    if (path === null) void this.openSkill(key);
    else this.open(key, path, at ? { at } : {});
  }

  stepProblem(by: 1 | -1): void {
    const { problems, tabs, editor } = this.#services;
    const { document } = tabs;
    // In the list of problems it is the row with the keyboard that one goes on from.
    const listed = typeof window !== 'undefined' && window.document.activeElement?.closest('[data-pane=panel]') != null;
    const from = document && editor.front && !listed ? { key: { scope: document.scope, id: document.skillId }, path: document.path, ...editor.cursor } : null;
    if (!problems.step(by, from)) this.#services.toasts.show('No problems found.');
  }

  /** A link of a rendered file: a file of the same skill is opened, an address is copied. */
  followLink(from: Pick<Document, 'scope' | 'skillId' | 'path'>, href: string): void {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) {
      void this.#services.clipboard.copy(href, 'the address');
      return;
    }
    const target = href.split('#')[0] ?? '';
    if (target === '') return;
    const path = pathFrom(from.path, target);
    const key = { scope: from.scope, id: from.skillId };
    const exists = this.#services.catalog.detail(key)?.entries.some((entry) => entry.path === path) ?? false;
    if (exists) this.open(key, path);
    else this.#services.toasts.show(`File ${path} not found in this skill.`, { tone: 'warn' });
  }

  newSkill(): void {
    this.#services.actions.dialog = { kind: 'newSkill', scope: this.#services.context.defaultScope };
  }

  newFile(skill: Brief, folder = ''): void {
    this.#services.actions.dialog = { kind: 'newFile', skill, folder };
  }

  /** Finding is for the text: a form gives way to it. */
  findInText(what: 'search' | 'replace'): void {
    if (this.#services.tabs.document) this.#services.editor.showText(this.#services.tabs.document.id);
    this.#services.editor[what]();
  }

  /** A run executes what is stored: unsaved text of `paths` is saved first, of the whole skill without them. Other files stay as they are. */
  async saveForRun({ scope, skillId }: Pick<RunTarget, 'scope' | 'skillId'>, paths: readonly string[] | null): Promise<boolean> {
    const unsaved = this.#services.tabs.unsaved({ scope, id: skillId });
    for (const document of unsaved.filter(({ path }) => paths === null || paths.includes(path))) {
      await this.save(document);
      if (document.dirty) return false;
    }
    return true;
  }
}
