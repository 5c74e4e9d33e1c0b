/** An action delayed by `ms`; subclasses decide when the delay begins. */
class DelayedAction {
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

/** Runs `action` once `touch` wasn't called for `ms`, or for the time given to the last call. */
export class Debounce extends DelayedAction {
  touch(ms?: number): void {
    this.cancel();
    this.begin(ms);
  }
}

/** From this many characters on, sending or showing a text takes noticeable time. */
const LONG = 60_000;
const LONG_MS = 400;

/** The debounce for work on a text of this length: a long one isn't processed between two key presses. */
export const quietFor = (length: number, ms: number): number => (length < LONG ? ms : Math.max(ms, LONG_MS));

/** Runs `action` `ms` after the first touch; later touches don't delay it. */
export class Deadline extends DelayedAction {
  touch(): void {
    if (!this.waiting) this.begin();
  }
}

/** The delay in a window that isn't drawn because it is minimized or covered. */
const NO_FRAME_MS = 100;

/** Runs `action` after the next frame, so that the effect of a key press is drawn first. */
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
 * Runs one request at a time. If it is asked for again meanwhile, it runs once more at the end: replies can't arrive out of order, and a slow
 * core isn't flooded.
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
