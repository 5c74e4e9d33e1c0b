import type { ScriptFunction } from '$lib/wire';
import type { Position } from './document.svelte';

/** What the rest of the window asks of the editor, and where its cursor is. */
export class EditorState {
  cursor = $state.raw<Position>({ line: 1, column: 1 });
  searchAsked = $state(0);
  replaceAsked = $state(0);
  readonly #read: () => Promise<readonly ScriptFunction[]>;
  #functions: Promise<readonly ScriptFunction[]> | null = null;

  /** `functions` reads what scripts can import. */
  constructor(functions: () => Promise<readonly ScriptFunction[]>) {
    this.#read = functions;
  }

  /** Read once. Without an answer there is no help; it is tried again with the next question. */
  async functions(): Promise<readonly ScriptFunction[]> {
    this.#functions ??= this.#read();
    try {
      return await this.#functions;
    } catch {
      this.#functions = null;
      return [];
    }
  }

  search(): void {
    this.searchAsked += 1;
  }

  replace(): void {
    this.replaceAsked += 1;
  }
}
