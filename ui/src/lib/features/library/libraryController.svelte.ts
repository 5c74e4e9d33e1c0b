import type { SkillKey } from '$lib/api';
import type { LibraryViewModel } from './libraryViewModel.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'clipboard' | 'contextMenu' | 'exporter' | 'feed' | 'files' | 'layout' | 'notifications' | 'pages'
  | 'runView' | 'runs' | 'runsView' | 'settings' | 'tabs' | 'tasks' | 'toasts' | 'workspace'
>;

/** The way to the library. What it needs comes with the first look at it, not with the window. */
export class LibraryController {
  view = $state.raw<LibraryViewModel | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  get isShown(): boolean {
    return this.#services.layout.view === 'library' && this.view !== null;
  }

  /** Whether the shelf is in front, not the page about a skill. */
  get isShelf(): boolean {
    return this.isShown && this.view?.page.key === null;
  }

  /** Shows the shelf, or the page about one skill. */
  async open(skill?: SkillKey): Promise<void> {
    this.#services.layout.view = 'library';
    const place = await this.load();
    if (skill) place?.page.show(skill);
  }

  async search(): Promise<void> {
    await this.open();
    if (!this.view) return;
    this.view.page.close();
    this.view.library.searchFocus.send();
  }

  /** Saves what is typed into a skill's values: the window or the folder is about to go. */
  async keep(): Promise<void> {
    await this.view?.page.fields.flush();
  }

  async load(): Promise<LibraryViewModel | null> {
    try {
      const { LibraryViewModel } = await import('./libraryViewModel.svelte');
      this.view ??= new LibraryViewModel(this.#services);
      return this.view;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the library', cause, () => this.open());
      return null;
    }
  }
}
