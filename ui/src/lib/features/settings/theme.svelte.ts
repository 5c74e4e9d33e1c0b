import type { Settings } from '$lib/api';

export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'ui.theme';

export class Theme {
  readonly choice = $derived.by<ThemeChoice>(() => {
    const value = this.#settings.get(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  });
  #systemDark = $state(false);
  readonly shown = $derived(this.choice === 'system' ? (this.#systemDark ? 'dark' : 'light') : this.choice);
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Follows the system until the returned function is called. */
  watch(media: MediaQueryList): () => void {
    const read = (): void => {
      this.#systemDark = media.matches;
    };
    read();
    media.addEventListener('change', read);
    return () => media.removeEventListener('change', read);
  }

  choose(choice: ThemeChoice): void {
    this.#settings.set(KEY, choice);
  }
}
