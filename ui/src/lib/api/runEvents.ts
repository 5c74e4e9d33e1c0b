import type { RunEvent } from '$lib/api/generated';
import { Deadline } from './timing';

/** How long later events wait for a missing one. */
const GAP_MS = 300;

/** Passes on the events of one run in order, whatever order they arrive in. */
export class RunEvents {
  #next = 0;
  readonly #early = new Map<number, RunEvent>();
  readonly #handle: (event: RunEvent) => void;
  readonly #gap = new Deadline(GAP_MS, () => this.#skip());

  constructor(handle: (event: RunEvent) => void) {
    this.#handle = handle;
  }

  receive(event: RunEvent): void {
    if (event.seq < this.#next) return;
    this.#early.set(event.seq, event);
    this.#drain();
  }

  /** Ignores later events. */
  end(): void {
    this.#next = Infinity;
    this.#gap.cancel();
    this.#early.clear();
  }

  #drain(): void {
    for (let event = this.#early.get(this.#next); event; event = this.#early.get(this.#next)) {
      this.#early.delete(this.#next);
      this.#next += 1;
      this.#handle(event);
    }
    if (this.#early.size > 0) this.#gap.touch();
    else this.#gap.cancel();
  }

  /** Gives up the missing events. */
  #skip(): void {
    const [first] = [...this.#early.keys()].sort((a, b) => a - b);
    if (first === undefined) return;
    this.#next = first;
    this.#drain();
  }
}
