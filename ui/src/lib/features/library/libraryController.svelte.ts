import type { SkillKey } from '$lib/api';
import type { LibraryViewModel } from './libraryViewModel';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'clipboard' | 'contextMenu' | 'deployment' | 'documents' | 'exporter' | 'external' | 'feed' | 'files' | 'layout'
  | 'notifications' | 'pages' | 'publishing' | 'runView' | 'runs' | 'runsView' | 'settings' | 'tabs' | 'tasks' | 'toasts' | 'workspace'
>;

/** Loads the library when it is first shown. */
export class LibraryController {
  view = $state.raw<LibraryViewModel | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  get isShown(): boolean {
    return this.#services.layout.view === 'library' && this.view !== null;
  }

  /** Whether the list of skills is shown, not the page of one. */
  get isListShown(): boolean {
    return this.isShown && this.view?.page.key === null;
  }

  /** Shows the list of skills, or the page of one. */
  async open(skill?: SkillKey): Promise<void> {
    this.#services.layout.view = 'library';
    const view = await this.load();
    if (skill) view?.page.show(skill);
  }

  async search(): Promise<void> {
    await this.open();
    if (!this.view) return;
    this.view.page.close();
    this.view.library.filter.searchFocus.send();
  }

  /** Saves typed values before the window or folder closes. */
  async keep(): Promise<void> {
    await this.view?.page.fields.flush();
  }

  async load(): Promise<LibraryViewModel | null> {
    try {
      const { LibraryViewModel } = await import('./libraryViewModel');
      this.view ??= new LibraryViewModel(this.#services);
      return this.view;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the library', cause, () => this.open());
      return null;
    }
  }
}
