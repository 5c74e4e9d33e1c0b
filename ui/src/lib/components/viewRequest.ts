import { tick, untrack } from 'svelte';

/**
 * Something a part of the window should do, such as take the keyboard, requested by code that doesn't know its elements. The mounted part
 * answers once the DOM is up to date; what nothing answers waits for the next part that is attached.
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

  /** Answers from now on, for an effect: the returned function ends it. */
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
