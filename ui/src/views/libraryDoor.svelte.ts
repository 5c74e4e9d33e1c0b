import type { SkillKey } from '$lib/api';
import type { LibraryPlace } from './libraryPlace.svelte';
import type { Studio } from './studio.svelte';

/** The way to the library. What it needs comes with the first look at it, not with the window. */
export class LibraryDoor {
  place = $state.raw<LibraryPlace | null>(null);
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  get isShown(): boolean {
    return this.#studio.layout.view === 'library' && this.place !== null;
  }

  /** Whether the shelf is in front, not the page about a skill. */
  get isShelf(): boolean {
    return this.isShown && this.place?.page.key === null;
  }

  /** Shows the shelf, or the page about one skill. */
  async open(skill?: SkillKey): Promise<void> {
    this.#studio.layout.view = 'library';
    const place = await this.load();
    if (skill) place?.page.show(skill);
  }

  async search(): Promise<void> {
    await this.open();
    if (!this.place) return;
    this.place.page.close();
    this.place.library.searchAsked += 1;
  }

  /** Saves what is typed into a skill's values: the window or the folder is about to go. */
  async keep(): Promise<void> {
    await this.place?.page.fields.flush();
  }

  async load(): Promise<LibraryPlace | null> {
    try {
      const { LibraryPlace } = await import('./libraryPlace.svelte');
      this.place ??= new LibraryPlace(this.#studio);
      return this.place;
    } catch (cause) {
      this.#studio.actions.report('Couldn’t load the library', cause, () => this.open());
      return null;
    }
  }
}
