import type { SearchViewModel } from './searchViewModel.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'client' | 'feed' | 'files' | 'layout' | 'notifications' | 'tabs' | 'toasts'>;

/** Longer selections aren't what someone looks for. */
const LONGEST = 200;

/** The way to the search across all skills. What it needs comes with the first search, not with the window. */
export class SearchController {
  view = $state.raw<SearchViewModel | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  get hasMatches(): boolean {
    return (this.view?.search.rows.length ?? 0) > 0;
  }

  get canReplace(): boolean {
    const { layout } = this.#services;
    return layout.view === 'editor' && layout.side === 'search' && this.view?.search.replacing === true && this.hasMatches;
  }

  /** Shows the search and brings the keyboard to it; what is selected in the editor is looked for. */
  async show(replacing = false): Promise<void> {
    const selected = selectedText();
    const place = await this.load();
    if (!place) return;
    const { layout } = this.#services;
    layout.showSidebarView('search')
    layout.set({ showSidebar: true });
    place.search.start(selected, replacing);
  }

  step(by: 1 | -1): void {
    if (this.view?.search.step(by) === false) this.#services.toasts.show('All matches are excluded.');
  }

  async replaceAll(): Promise<void> {
    this.#services.layout.set({ showSidebar: true });
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

/** What is selected in the editor, if it is a few words of one line. */
function selectedText(): string {
  if (typeof document === 'undefined' || !document.activeElement?.closest('.cm-content')) return '';
  const selected = document.getSelection()?.toString() ?? '';
  return selected.length <= LONGEST && !selected.includes('\n') ? selected : '';
}
