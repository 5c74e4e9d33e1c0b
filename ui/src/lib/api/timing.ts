/** An action that waits for `ms`; when the wait begins is the subclasses' business. */
class Delayed {
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #ms: number;
  readonly #action: () => void;

  constructor(ms: number, action: () => void) {
    this.#ms = ms;
    this.#action = action;
  }

  get waiting(): boolean {
    return this.#timer !== null;
  }

  /** Runs a waiting action now. */
  flush(): void {
    if (this.#timer === null) return;
    this.cancel();
    this.#action();
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  protected begin(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#action();
    }, this.#ms);
  }
}

/** Runs `action` once things have been quiet for `ms`. */
export class Debounce extends Delayed {
  touch(): void {
    this.cancel();
    this.begin();
  }
}

/** Runs `action` at most `ms` after the first touch, however long the touching goes on. */
export class Deadline extends Delayed {
  touch(): void {
    if (!this.waiting) this.begin();
  }
}

/**
 * Keeps one request under way. A further ask while it runs is remembered once, with what is newest then: replies can't
 * arrive out of order and a slow core isn't flooded.
 */
export class Latest {
  #running = false;
  #again = false;
  readonly #work: () => Promise<void>;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  ask(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    void this.#work().finally(() => {
      this.#running = false;
      if (this.#again) {
        this.#again = false;
        this.ask();
      }
    });
  }
}
