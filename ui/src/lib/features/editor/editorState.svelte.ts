import type { ScriptFunction } from '$lib/wire';
import type { Position } from './document.svelte';

/** What the rest of the window asks of the editor, and where its cursor is. */
export class EditorState {
  cursor = $state.raw<Position>({ line: 1, column: 1 });
  searchAsked = $state(0);
  replaceAsked = $state(0);
  /** What scripts can import. */
  readonly functions: () => Promise<readonly ScriptFunction[]>;

  constructor(functions: () => Promise<readonly ScriptFunction[]>) {
    this.functions = functions;
  }

  search(): void {
    this.searchAsked += 1;
  }

  replace(): void {
    this.replaceAsked += 1;
  }
}
