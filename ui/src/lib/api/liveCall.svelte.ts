import type { Failure, RunEvent } from '$lib/api/generated';
import { RunEvents } from './runEvents';

/** A running call with events. Its result, which is more complete, replaces what the events said. */
export abstract class LiveCall<Outcome> {
  readonly id: string;
  // Not the clock, which may be changed.
  readonly startedAt = performance.now();
  state = $state<'running' | 'canceling' | 'ended'>('running');
  outcome = $state.raw<Outcome | null>(null);
  failure = $state.raw<Failure | null>(null);
  endedAt = $state<number | null>(null);
  readonly running = $derived(this.state !== 'ended');
  readonly #events = new RunEvents((event) => this.handle(event));

  constructor(id: string) {
    this.id = id;
  }

  apply(event: RunEvent): void {
    if (this.running) this.#events.receive(event);
  }

  markCanceling(): void {
    if (this.state === 'running') this.state = 'canceling';
  }

  /** Call if canceling failed. */
  resume(): void {
    if (this.state === 'canceling') this.state = 'running';
  }

  refuse(failure: Failure): void {
    this.failure = failure;
    this.end();
  }

  /** Milliseconds until `now`, by `performance.now()`, or until it ended. */
  elapsed(now: number): number {
    return Math.max(0, (this.endedAt ?? now) - this.startedAt);
  }

  protected abstract handle(event: RunEvent): void;

  protected end(): void {
    this.#events.end();
    this.endedAt = performance.now();
    this.state = 'ended';
  }
}
