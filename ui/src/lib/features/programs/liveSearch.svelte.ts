import { RunEvents } from '$lib/api';
import { type LogTail, NO_LOG, withPiece } from '$lib/domain';
import type { Failure, OptimizeOutcome, RunEvent } from '$lib/wire';

export interface Spent {
  input_tokens: number | null;
  output_tokens: number | null;
  estimated_cost: number | null;
}

const NOTHING: Spent = { input_tokens: null, output_tokens: null, estimated_cost: null };

/** One optimisation while it goes on, and what came of it. */
export class LiveSearch {
  readonly id: string;
  readonly startedAt = Date.now();
  state = $state<'going' | 'stopping' | 'ended'>('going');
  progress = $state.raw<{ fraction: number; text: string } | null>(null);
  /** Scores of candidates over the training examples, in the order in which they were judged. */
  scores = $state.raw<number[]>([]);
  log = $state.raw<LogTail>(NO_LOG);
  outcome = $state.raw<OptimizeOutcome | null>(null);
  failure = $state.raw<Failure | null>(null);
  endedAt = $state<number | null>(null);
  #spent = $state.raw<Spent>(NOTHING);
  readonly spent = $derived<Spent>(this.outcome?.run ?? this.#spent);
  readonly going = $derived(this.state !== 'ended');
  /** It went well, and found nothing but what is there. */
  readonly nothing = $derived(this.outcome?.run.status === 'ok' && this.outcome.proposal === null);
  readonly best = $derived(this.scores.length === 0 ? null : Math.max(...this.scores));
  readonly #events = new RunEvents((event) => this.#take(event));

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

  finish(outcome: OptimizeOutcome): void {
    this.outcome = outcome;
    this.failure = outcome.run.error;
    this.#end();
  }

  refuse(failure: Failure): void {
    this.failure = failure;
    this.#end();
  }

  elapsed(now: number): number {
    return Math.max(0, (this.endedAt ?? now) - this.startedAt);
  }

  #end(): void {
    this.#events.end();
    this.endedAt = Date.now();
    this.state = 'ended';
  }

  #take(event: RunEvent): void {
    switch (event.kind) {
      case 'progress':
        this.progress = { fraction: event.fraction, text: event.text };
        break;
      case 'trial':
        if (event.score !== null) this.scores = [...this.scores, event.score];
        this.#spent = { input_tokens: event.input_tokens, output_tokens: event.output_tokens, estimated_cost: event.estimated_cost };
        break;
      case 'log':
        this.log = withPiece(this.log, event.text);
        break;
      default:
        // One artifact runs, and the answer of the call says how it ended.
        break;
    }
  }
}
