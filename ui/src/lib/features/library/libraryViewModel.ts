import { Bulk, LibraryState, References, SkillLifecycle, SkillPage } from '$lib/features/library';
import type { Services } from '$lib/workbench/services';
import { InlineEditing } from './inlineEditing.svelte';
import { SelectionActions } from './selectionActions.svelte';
import { SkillActions } from './skillActions';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'clipboard' | 'contextMenu' | 'deployment' | 'documents' | 'exporter' | 'external' | 'feed' | 'files' | 'layout' | 'notifications'
  | 'pages' | 'publishing' | 'runView' | 'runs' | 'runsView' | 'settings' | 'tabs' | 'tasks' | 'toasts' | 'workspace'
>;

/** The Library view: the list of skills, the page of one skill, and actions on both. */
export class LibraryViewModel {
  readonly library: LibraryState;
  readonly page: SkillPage;
  readonly bulk: Bulk;
  readonly references: References;
  readonly skill: SkillActions;
  readonly selection: SelectionActions;
  readonly lifecycle: SkillLifecycle;
  readonly inline: InlineEditing;

  constructor(services: Needs) {
    const { client, feed, settings, catalog, toasts, tasks } = services;
    this.library = new LibraryState(client, feed, catalog, settings, (what, cause) => services.notifications.report(what, cause));
    this.page = new SkillPage(client, feed, catalog, settings);
    this.references = new References(client, feed, {
      push: (message, step) => services.actions.undoStack.push(message, step),
      report: (what, cause) => services.notifications.report(what, cause),
    });
    this.bulk = new Bulk(client, toasts, tasks, {
      titleOf: (skill) => catalog.summary(skill)?.name,
      deleted: (skills) => this.library.selection.deselect(skills),
      done: () => this.library.refresh(),
    });
    this.skill = new SkillActions(services, this.page, this.references);
    this.lifecycle = new SkillLifecycle(services, () => this.library.refresh());
    this.selection = new SelectionActions(services, this.library, this.bulk, this.skill, this.lifecycle);
    this.inline = new InlineEditing(services, this.page);
  }

  /** Another folder is open. */
  reset(): void {
    this.page.close();
    this.references.close();
    this.selection.prompt = null;
    this.lifecycle.deprecating = null;
    this.library.reset();
  }

  async openAt(index: number): Promise<void> {
    const row = await this.library.list.load(index);
    if (row) this.page.show(row);
  }

  back(): void {
    this.page.close();
    this.library.cursor.focusRequest.send();
  }
}
