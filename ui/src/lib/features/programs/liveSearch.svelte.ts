import { LiveCall } from '$lib/api';
import { type LogTail, NO_LOG, withPiece } from '$lib/domain';
import type { OptimizeOutcome, RunEvent } from '$lib/api/generated';

export interface Spent {
  input_tokens: number | null;
  output_tokens: number | null;
  estimated_cost: number | null;
}

const NOTHING: Spent = { input_tokens: null, output_tokens: null, estimated_cost: null };

/** One optimization while it goes on, and what came of it. */
export class LiveSearch extends LiveCall<OptimizeOutcome> {
  progress = $state.raw<{ fraction: number; text: string } | null>(null);
  /** Scores of candidates over the training examples, in the order in which they were judged. */
  scores = $state.raw<number[]>([]);
  log = $state.raw<LogTail>(NO_LOG);
  #spent = $state.raw<Spent>(NOTHING);
  readonly spent = $derived<Spent>(this.outcome?.run ?? this.#spent);
  /** It went well, and found nothing but what is there. */
  readonly nothing = $derived(this.outcome?.run.status === 'ok' && this.outcome.proposal === null);
  readonly best = $derived(this.scores.length === 0 ? null : Math.max(...this.scores));

  finish(outcome: OptimizeOutcome): void {
    this.outcome = outcome;
    this.failure = outcome.run.error;
    this.end();
  }

  protected take(event: RunEvent): void {
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
