import type { Settings } from '$lib/api';

export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'ui.theme';

/** Which colours the window has. */
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

  /** Follows the system. Returns what stops it. */
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
