import { SvelteSet } from 'svelte/reactivity';
import type { Settings } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { Preferences } from '$lib/domain';
import type { Fix } from '$lib/api/generated';
import type { CodeView } from './codemirror/codeView';
import { languageOf } from './codemirror/languages';
import type { Document, Position } from './document.svelte';
import type { EditorHelp } from './help';

const WRAP = 'ui.wrap';

/** What the rest of the window asks of the editor, and where its cursor is. */
export class EditorState {
  cursor = $state.raw<Position>({ line: 1, column: 1 });
  /** Brings the keyboard to the path above the text. */
  readonly crumbsFocus = new ViewRequest();
  /** Documents whose text is shown although they have a face of their own. */
  readonly #texts = new SvelteSet<string>();
  /** Large documents that are edited in spite of it. */
  readonly #unlocked = new SvelteSet<string>();
  readonly #settings: Settings;
  readonly #preferences: Preferences;
  /** What the rest of the window knows about texts: it comes with the window's other parts. */
  help: EditorHelp | null = null;
  /** Does what a quick fix says. */
  fix: ((document: Document, fix: Fix) => void) | null = null;
  /** The editor that shows the text in front; null while there is none. */
  front = $state.raw<CodeView | null>(null);
  /** The editor of the active group, also while another view covers it: that edits the same text. */
  #code: CodeView | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#preferences = new Preferences(settings);
  }

  /** How many characters wide a tab is shown. */
  get tabSize(): number {
    return this.#preferences.tabSize;
  }

  textShown(document: string): boolean {
    return this.#texts.has(document);
  }

  showText(document: string, shown = true): void {
    if (shown) this.#texts.add(document);
    else this.#texts.delete(document);
  }

  unlocked(document: string): boolean {
    return this.#unlocked.has(document);
  }

  unlock(document: string): void {
    this.#unlocked.add(document);
  }

  /** Whether long lines of a file go on in the next one: those of prose do, unless someone chose otherwise. */
  wraps(path: string): boolean {
    const { prose } = languageOf(path);
    return this.#wraps[prose ? 'prose' : 'code'] ?? prose;
  }

  /** For this file and all of its sort, prose or code. */
  toggleWrap(path: string): void {
    const sort = languageOf(path).prose ? 'prose' : 'code';
    this.#settings.set(WRAP, { ...this.#wraps, [sort]: !this.wraps(path) });
  }

  /** For an effect of the active editor: the returned function detaches it. */
  attach(code: CodeView): () => void {
    this.#code = code;
    return () => {
      if (this.#code === code) this.#code = null;
    };
  }

  search(): void {
    this.#code?.search();
  }

  replace(): void {
    this.#code?.replace();
  }

  undo(): void {
    this.#code?.undo();
  }

  redo(): void {
    this.#code?.redo();
  }

  get #wraps(): Partial<Record<'prose' | 'code', boolean>> {
    const stored = this.#settings.get(WRAP);
    if (typeof stored !== 'object' || stored === null) return {};
    const flags = Object.entries(stored).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean');
    return Object.fromEntries(flags);
  }
}
