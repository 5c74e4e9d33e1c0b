const MAX_LENGTH = 50;

/** The positions before and after the current one, for back and forward. */
export class NavigationStack<T> {
  #before = $state.raw<T[]>([]);
  #after = $state.raw<T[]>([]);
  readonly canGoBack = $derived(this.#before.length > 0);
  readonly canGoForward = $derived(this.#after.length > 0);
  readonly #current: () => T | null;
  readonly #go: (position: T) => void;

  constructor(current: () => T | null, go: (position: T) => void) {
    this.#current = current;
    this.#go = go;
  }

  /** Call it before moving to another position, so that back returns to this one. */
  push(): void {
    const current = this.#current();
    if (current !== null) this.#before = [...this.#before, current].slice(-MAX_LENGTH);
    this.#after = [];
  }

  back(): void {
    const position = this.#before.at(-1);
    if (position === undefined) return;
    const current = this.#current();
    this.#before = this.#before.slice(0, -1);
    if (current !== null) this.#after = [current, ...this.#after];
    this.#go(position);
  }

  forward(): void {
    const [position, ...rest] = this.#after;
    if (position === undefined) return;
    const current = this.#current();
    this.#after = rest;
    if (current !== null) this.#before = [...this.#before, current];
    this.#go(position);
  }

  clear(): void {
    [this.#before, this.#after] = [[], []];
  }
}
