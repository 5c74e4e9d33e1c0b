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

  protected begin(ms = this.#ms): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#action();
    }, ms);
  }
}

/** Runs `action` once things have been quiet for `ms`, or for as long as this touch says. */
export class Debounce extends Delayed {
  touch(ms?: number): void {
    this.cancel();
    this.begin(ms);
  }
}

/** Characters from which on a text takes a while to be sent or shown as a whole. */
const LONG = 60_000;
const LONG_MS = 400;

/** How long typing must pause until what follows a text of this length does: a long one isn't worked on between two keys. */
export const quietFor = (length: number, ms: number): number => (length < LONG ? ms : Math.max(ms, LONG_MS));

/** Runs `action` at most `ms` after the first touch, however long the touching goes on. */
export class Deadline extends Delayed {
  touch(): void {
    if (!this.waiting) this.begin();
  }
}

/** How long a window that isn't drawn, since it is minimised or behind others, delays what waits for a frame. */
const NO_FRAME_MS = 100;

/** Runs `action` once the next frame is drawn: a key that is being handled, and what it changed, comes first. */
export function afterFrame(action: () => void): void {
  let waiting = true;
  const run = (): void => {
    if (!waiting) return;
    waiting = false;
    clearTimeout(timer);
    action();
  };
  const timer = setTimeout(run, NO_FRAME_MS);
  requestAnimationFrame(() => setTimeout(run));
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
