import { SvelteSet } from 'svelte/reactivity';
import type { ScriptFunction } from '$lib/wire';
import type { Position } from './document.svelte';

/** What the rest of the window asks of the editor, and where its cursor is. */
export class EditorState {
  cursor = $state.raw<Position>({ line: 1, column: 1 });
  searchAsked = $state(0);
  replaceAsked = $state(0);
  undoAsked = $state(0);
  redoAsked = $state(0);
  /** Which of the tabs' wishes for the keyboard was fulfilled last. */
  focusAnswered = 0;
  /** Documents whose text is shown although they have a face of their own. */
  readonly #texts = new SvelteSet<string>();
  /** What scripts can import. */
  readonly functions: () => Promise<readonly ScriptFunction[]>;

  constructor(functions: () => Promise<readonly ScriptFunction[]>) {
    this.functions = functions;
  }

  textShown(document: string): boolean {
    return this.#texts.has(document);
  }

  showText(document: string, shown = true): void {
    if (shown) this.#texts.add(document);
    else this.#texts.delete(document);
  }

  search(): void {
    this.searchAsked += 1;
  }

  replace(): void {
    this.replaceAsked += 1;
  }

  undo(): void {
    this.undoAsked += 1;
  }

  redo(): void {
    this.redoAsked += 1;
  }
}
