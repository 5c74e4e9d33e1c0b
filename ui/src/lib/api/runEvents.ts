import type { RunEvent } from '$lib/api/generated';
import { Deadline } from './timing';

/** How long an event that is missing is waited for. */
const GAP_MS = 300;

/** The events of one run, handed on in their order however they arrive. */
export class RunEvents {
  #next = 0;
  readonly #early = new Map<number, RunEvent>();
  readonly #take: (event: RunEvent) => void;
  readonly #gap = new Deadline(GAP_MS, () => this.#skip());

  constructor(take: (event: RunEvent) => void) {
    this.#take = take;
  }

  hear(event: RunEvent): void {
    if (event.seq < this.#next) return;
    this.#early.set(event.seq, event);
    this.#drain();
  }

  /** Whatever comes now is late. */
  end(): void {
    this.#next = Infinity;
    this.#gap.cancel();
    this.#early.clear();
  }

  #drain(): void {
    for (let event = this.#early.get(this.#next); event; event = this.#early.get(this.#next)) {
      this.#early.delete(this.#next);
      this.#next += 1;
      this.#take(event);
    }
    if (this.#early.size > 0) this.#gap.touch();
    else this.#gap.cancel();
  }

  /** What is missing won't come: the rest is shown without it. */
  #skip(): void {
    const [first] = [...this.#early.keys()].sort((a, b) => a - b);
    if (first === undefined) return;
    this.#next = first;
    this.#drain();
  }
}
