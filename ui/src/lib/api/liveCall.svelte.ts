import type { Failure, RunEvent } from '$lib/api/generated';
import { RunEvents } from './runEvents';

/** A run or a search while it goes on: heard of by events until the answer of its call comes, which says more. */
export abstract class LiveCall<Outcome> {
  readonly id: string;
  // Not by the clock, which may be set meanwhile.
  readonly startedAt = performance.now();
  state = $state<'going' | 'stopping' | 'ended'>('going');
  outcome = $state.raw<Outcome | null>(null);
  failure = $state.raw<Failure | null>(null);
  endedAt = $state<number | null>(null);
  readonly going = $derived(this.state !== 'ended');
  readonly #events = new RunEvents((event) => this.take(event));

  constructor(id: string) {
    this.id = id;
  }

  apply(event: RunEvent): void {
    if (this.going) this.#events.hear(event);
  }

  stopping(): void {
    if (this.state === 'going') this.state = 'stopping';
  }

  /** The stop couldn't be asked for: it goes on. */
  goesOn(): void {
    if (this.state === 'stopping') this.state = 'going';
  }

  refuse(failure: Failure): void {
    this.failure = failure;
    this.end();
  }

  /** Milliseconds until `now`, by `performance.now()`, or until it ended. */
  elapsed(now: number): number {
    return Math.max(0, (this.endedAt ?? now) - this.startedAt);
  }

  protected abstract take(event: RunEvent): void;

  protected end(): void {
    this.#events.end();
    this.endedAt = performance.now();
    this.state = 'ended';
  }
}
