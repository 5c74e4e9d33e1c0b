import type { Settings } from '$lib/api';

export const CODE_SIZES = [11, 12, 13, 14, 15, 16, 18, 20, 24] as const;
export const TAB_SIZES = [2, 4, 8] as const;
export const MAX_FONT_CHARS = 80;

const SIZE = 'ui.code_size';
const TAB = 'ui.tab_size';
const FONT = 'ui.code_font';
const LIGATURES = 'ui.code_ligatures';

/** The editor's font and tab size. Stored values that can’t be used are ignored. */
export class Preferences {
  readonly codeSize = $derived.by(() => CODE_SIZES.find((size) => size === this.#settings.get(SIZE)) ?? 13);
  readonly tabSize = $derived.by(() => TAB_SIZES.find((size) => size === this.#settings.get(TAB)) ?? 4);
  /** Name of an installed font; empty for the bundled one. */
  readonly codeFont = $derived.by(() => {
    const font = this.#settings.get(FONT);
    return typeof font === 'string' ? fontName(font) : '';
  });
  readonly hasLigatures = $derived.by(() => this.#settings.get(LIGATURES) === true);
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

  setCodeFont(font: string | null): void {
    this.#settings.set(FONT, font === null ? null : fontName(font) || null);
  }

  setLigatures(on: boolean | null): void {
    this.#settings.set(LIGATURES, on);
  }
}

/** Without what would end the name in a style sheet. */
const fontName = (name: string): string => name.replace(/["'\\,;{}\p{Cc}]/gu, '').slice(0, MAX_FONT_CHARS).trim();
