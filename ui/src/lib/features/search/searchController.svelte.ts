import type { SearchViewModel } from './searchViewModel.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'catalog' | 'client' | 'documents' | 'feed' | 'files' | 'layout' | 'notifications' | 'tabs' | 'toasts'
>;

/** Longer selections aren't used as the query. */
const LONGEST = 200;

/** Loads the search when it is first used. */
export class SearchController {
  view = $state.raw<SearchViewModel | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  get hasMatches(): boolean {
    return (this.view?.search.list.rows.length ?? 0) > 0;
  }

  get canReplace(): boolean {
    const { layout } = this.#services;
    return layout.view === 'editor' && layout.sidebar.view === 'search' && this.view?.search.query.replacing === true && this.hasMatches;
  }

  /** Shows and focuses the search, with the selected text of the editor as the query. */
  async show(replacing = false): Promise<void> {
    const selected = selectedText();
    const view = await this.load();
    if (!view) return;
    const { layout } = this.#services;
    layout.showSidebarView('search');
    view.search.start(selected, replacing);
  }

  step(by: 1 | -1): void {
    if (this.view?.search.list.step(by) === false) this.#services.toasts.show('All matches are excluded.');
  }

  async replaceAll(): Promise<void> {
    this.#services.layout.sidebar.show();
    await this.view?.replacing.ask();
  }

  async load(): Promise<SearchViewModel | null> {
    try {
      const { SearchViewModel } = await import('./searchViewModel.svelte');
      this.view ??= new SearchViewModel(this.#services);
      return this.view;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the search', cause, () => this.show());
      return null;
    }
  }
}

/** The selected text of the editor, if it is short and on one line. */
function selectedText(): string {
  if (typeof document === 'undefined' || !document.activeElement?.closest('.cm-content')) return '';
  const selected = document.getSelection()?.toString() ?? '';
  return selected.length <= LONGEST && !selected.includes('\n') ? selected : '';
}
