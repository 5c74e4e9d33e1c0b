import type { Progress } from '$lib/platform';

/** Goes with one call: hears how far it is, and can ask it to stop. */
export class Watch {
  /** What the core knows the call by. */
  readonly id = crypto.randomUUID();
  readonly #listeners = new Set<(progress: Progress) => void>();
  #ask: ((call: string) => void) | null = null;
  #asked = false;
  #ended = false;

  /** Whether it was asked to stop; it may have come to its end before. */
  get stopping(): boolean {
    return this.#asked;
  }

  hear(listener: (progress: Progress) => void): this {
    this.#listeners.add(listener);
    return this;
  }

  /** Asks the call to stop, once; also when it hasn't begun. */
  stop(): void {
    if (this.#asked || this.#ended) return;
    this.#asked = true;
    this.#ask?.(this.id);
  }

  // For the client

  begin(ask: (call: string) => void): void {
    this.#ask = ask;
    if (this.#asked) ask(this.id);
  }

  tell(progress: Progress): void {
    // What is still under way when the reply is there says nothing new.
    if (!this.#ended) for (const listener of this.#listeners) listener(progress);
  }

  end(): void {
    this.#ended = true;
  }
}
