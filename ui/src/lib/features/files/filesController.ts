import type { SkillOverview, SkillKey } from '$lib/api';
import { pathFrom } from '$lib/domain';
import { mainOf } from '$lib/features/actions';
import type { RevealTarget, StoredFile } from '$lib/features/editor';
import type { QuickOpenItem } from '$lib/features/palette';
import type { Problem } from '$lib/features/problems';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  'actions' | 'catalog' | 'context' | 'editor' | 'external' | 'layout' | 'notifications' | 'overlays' | 'problems' | 'quickOpen' | 'tabs' | 'toasts' | 'tree'
>;

/** Opens and creates skills and files. */
export class FilesController {
  #recent: string[] = [];
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Newest first. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  open(key: SkillKey, path: string, options: { preview?: boolean; focus?: boolean; at?: RevealTarget; beside?: boolean } = {}): void {
    this.#services.layout.view = 'editor';
    this.#services.tabs.open({ scope: key.scope, skillId: key.id, path }, options);
    if (options.focus !== false) this.#services.tree.reveal(key, path);
    const file = `${key.scope}:${key.id}/${path}`;
    this.#recent = [file, ...this.#recent.filter((one) => one !== file)].slice(0, 30);
  }

  async openSkill(key: SkillKey, options: { beside?: boolean } = {}): Promise<void> {
    const detail = await this.#services.catalog.details.load(key);
    if (detail) this.open(key, mainOf(detail), options);
    else this.#services.notifications.report('Couldn’t open the skill', this.#services.catalog.details.failureOf(key));
  }

  /** Opens a result of quick open, at the typed line. */
  openQuickOpenItem({ key, path }: QuickOpenItem, beside = false): void {
    const { position } = this.#services.quickOpen;
    this.#services.overlays.close();
    if (path === null) void this.openSkill(key, { beside });
    else this.open(key, path, { beside, ...(position ? { at: position } : {}) });
  }

  /** Goes to the typed line of the active file. */
  goToTypedLine(): void {
    const { quickOpen, tabs } = this.#services;
    const { document } = tabs;
    const { position } = quickOpen;
    this.#services.overlays.close();
    if (document && position) this.open(document.file.skill, document.file.path, { at: position });
  }

  openDrafts(): void {
    for (const draft of this.#services.catalog.drafts.list) this.open({ scope: draft.scope, id: draft.skill_id }, draft.path);
  }

  showProblem({ key, path, diagnostic }: Problem): void {
    const at = diagnostic.line === null ? null : { line: diagnostic.line, column: diagnostic.column ?? 1 };
    if (path === null) void this.openSkill(key);
    else this.open(key, path, at ? { at } : {});
  }

  stepProblem(by: 1 | -1): void {
    const { problems, tabs, editor } = this.#services;
    const { document } = tabs;
    // With the focus in the problems panel, its current row is the start.
    const listed = typeof window !== 'undefined' && window.document.activeElement?.closest('[data-pane=panel]') != null;
    const from = document && editor.front && !listed ? { key: document.file.skill, path: document.file.path, ...editor.cursor } : null;
    if (!problems.step(by, from)) this.#services.toasts.show('No problems found.');
  }

  /** Opens the file of a relative link in rendered Markdown; asks before another address is opened. */
  followLink(from: Pick<StoredFile, 'skill' | 'path'>, href: string): void {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) {
      this.#services.external.ask(href);
      return;
    }
    const target = href.split('#')[0] ?? '';
    if (target === '') return;
    const path = pathFrom(from.path, target);
    const exists = this.#services.catalog.details.get(from.skill)?.entries.some((entry) => entry.path === path) ?? false;
    if (exists) this.open(from.skill, path);
    else this.#services.toasts.show(`File ${path} not found in this skill.`, { tone: 'warn' });
  }

  newSkill(): void {
    this.#services.actions.dialog = { kind: 'newSkill', scope: this.#services.context.defaultScope };
  }

  newFile(skill: SkillOverview, folder = ''): void {
    this.#services.actions.dialog = { kind: 'newFile', skill, folder };
  }
}
