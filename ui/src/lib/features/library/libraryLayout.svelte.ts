import type { ViewMode } from './query';

/** How the list is shown. */
export class LibraryLayout {
  viewMode = $state<ViewMode>('cards');
  /** Pixels that the list is scrolled by. */
  scrollTop = 0;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  showAs(viewMode: ViewMode): void {
    this.viewMode = viewMode;
    this.scrollTop = 0;
    this.#changed();
  }
}
