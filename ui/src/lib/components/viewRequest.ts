import { tick, untrack } from 'svelte';

/**
 * A request to a component, such as to take the focus, from code that doesn't know its elements. The attached component handles it once the
 * DOM is up to date. Without one, the request waits for the next component that is attached.
 */
export class ViewRequest<T = void> {
  #answerer: ((value: T) => void) | null = null;
  #pending: { value: T } | null = null;
  #wasSent = false;

  /** Whether it was ever sent. */
  get wasSent(): boolean {
    return this.#wasSent;
  }

  send(value: T): void {
    this.#pending = { value };
    this.#wasSent = true;
    void tick().then(() => this.#deliver());
  }

  /** Handles requests until the returned function is called. For effects. */
  attach(answer: (value: T) => void): () => void {
    this.#answerer = answer;
    untrack(() => this.#deliver());
    return () => {
      if (this.#answerer === answer) this.#answerer = null;
    };
  }

  #deliver(): void {
    if (!this.#pending || !this.#answerer) return;
    const { value } = this.#pending;
    this.#pending = null;
    this.#answerer(value);
  }
}
