import type { Settings } from '$lib/api';

export const CODE_SIZES = [11, 12, 13, 14, 15, 16, 18, 20, 24] as const;
export const TAB_SIZES = [2, 4, 8] as const;

const SIZE = 'ui.code_size';
const TAB = 'ui.tab_size';

/** The editor's font size and tab size. Stored sizes that aren't offered are ignored. */
export class Preferences {
  readonly codeSize = $derived.by(() => CODE_SIZES.find((size) => size === this.#settings.get(SIZE)) ?? 13);
  readonly tabSize = $derived.by(() => TAB_SIZES.find((size) => size === this.#settings.get(TAB)) ?? 4);
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  setCodeSize(size: number | null): void {
    this.#settings.set(SIZE, size);
  }

  setTabSize(size: number | null): void {
    this.#settings.set(TAB, size);
  }
}
