/** How long the second stroke of a chord is waited for. */
const WAIT_MS = 5_000;

/** The state of a shortcut of two strokes, such as Ctrl+K Ctrl+S. */
export class Chord {
  /** The first stroke, until the second one is pressed. */
  pending = $state<string | null>(null);
  /** The last chord that is no command's, for a moment. */
  unknown = $state<string | null>(null);
  /** Disables shortcuts while one is recorded. */
  paused = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  begin(stroke: string): void {
    this.#set(stroke, null);
  }

  reject(keys: string): void {
    this.#set(null, keys);
  }

  /** False if there is no first stroke. */
  cancel(): boolean {
    const was = this.pending !== null;
    this.#set(null, null);
    return was;
  }

  #set(pending: string | null, unknown: string | null): void {
    clearTimeout(this.#timer);
    [this.pending, this.unknown] = [pending, unknown];
    if (pending !== null || unknown !== null) this.#timer = setTimeout(() => ([this.pending, this.unknown] = [null, null]), WAIT_MS);
  }
}
