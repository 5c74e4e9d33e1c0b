import { SvelteSet } from 'svelte/reactivity';
import type { Settings } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { Preferences } from '$lib/domain';
import type { Check } from '$lib/api/generated';
import type { CodeView } from './codemirror/codeView';
import { languageOf } from './codemirror/languages';
import type { Document, Position } from './document/document.svelte';
import type { EditorHelp } from './help';

const WRAP = 'ui.wrap';

/** The settings for displaying text. */
class Presentation {
  readonly #settings: Settings;
  readonly #preferences: Preferences;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#preferences = new Preferences(settings);
  }

  /** In characters. */
  get tabSize(): number {
    return this.#preferences.tabSize;
  }

  /** Whether long lines wrap: by default those of prose do. */
  wraps(path: string): boolean {
    const { prose } = languageOf(path);
    return this.#wraps[prose ? 'prose' : 'code'] ?? prose;
  }

  /** Applies to all files of the same type, prose or code. */
  toggleWrap(path: string): void {
    const sort = languageOf(path).prose ? 'prose' : 'code';
    this.#settings.set(WRAP, { ...this.#wraps, [sort]: !this.wraps(path) });
  }

  get #wraps(): Partial<Record<'prose' | 'code', boolean>> {
    const stored = this.#settings.get(WRAP);
    if (typeof stored !== 'object' || stored === null) return {};
    const flags = Object.entries(stored).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean');
    return Object.fromEntries(flags);
  }
}

/** The active editor. */
export class EditorState {
  cursor = $state.raw<Position>({ line: 1, column: 1 });
  /** Focuses the breadcrumbs. */
  readonly crumbsFocus = new ViewRequest();
  /** Ids of large documents that are edited nevertheless. */
  readonly unlocked = new SvelteSet<string>();
  readonly presentation: Presentation;
  /** Completion, navigation and checks; set by the features that provide them. */
  help: EditorHelp | null = null;
  /** Applies a quick fix. */
  fix: ((document: Document, fix: Check.Fix) => void) | null = null;
  /** The visible editor of the active group. */
  front = $state.raw<CodeView | null>(null);
  /** The editor of the active group, also while another view hides it. */
  #code: CodeView | null = null;

  constructor(settings: Settings) {
    this.presentation = new Presentation(settings);
  }

  /** For an effect of the active editor: the returned function detaches it. */
  attach(code: CodeView): () => void {
    this.#code = code;
    return () => {
      if (this.#code === code) this.#code = null;
    };
  }

  search(): void {
    this.#code?.commands.find();
  }

  replace(): void {
    this.#code?.commands.replace();
  }

  undo(): void {
    this.#code?.commands.undo();
  }

  redo(): void {
    this.#code?.commands.redo();
  }
}
