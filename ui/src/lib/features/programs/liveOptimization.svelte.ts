import { asFailure, LiveCall } from '$lib/api';
import { type LogTail, NO_LOG, withPiece } from '$lib/domain';
import type { Optimize, RunEvent } from '$lib/api/generated';

export interface TrialUsage {
  input_tokens: number | null;
  output_tokens: number | null;
  estimated_cost: number | null;
}

const NO_USAGE: TrialUsage = { input_tokens: null, output_tokens: null, estimated_cost: null };

/** A running or ended optimization. */
export class LiveOptimization extends LiveCall<Optimize.OptimizeOutcome> {
  progress = $state.raw<{ fraction: number; text: string } | null>(null);
  /** Scores of candidates over the training examples, in the order in which they were scored. */
  scores = $state.raw<number[]>([]);
  log = $state.raw<LogTail>(NO_LOG);
  #usage = $state.raw<TrialUsage>(NO_USAGE);
  readonly usage = $derived<TrialUsage>(this.outcome?.run ?? this.#usage);
  /** Whether it succeeded without a better state. */
  readonly foundNothing = $derived(this.outcome?.run.status === 'ok' && this.outcome.proposal === null);
  readonly best = $derived(this.scores.length === 0 ? null : Math.max(...this.scores));

  finish(outcome: Optimize.OptimizeOutcome): void {
    this.outcome = outcome;
    this.failure = outcome.run.error && asFailure(outcome.run.error);
    this.end();
  }

  protected handle(event: RunEvent): void {
    switch (event.kind) {
      case 'progress':
        this.progress = { fraction: event.fraction, text: event.text };
        break;
      case 'trial':
        if (event.score !== null) this.scores = [...this.scores, event.score];
        this.#usage = { input_tokens: event.input_tokens, output_tokens: event.output_tokens, estimated_cost: event.estimated_cost };
        break;
      case 'log':
        this.log = withPiece(this.log, event.text);
        break;
      default:
        // A single artifact runs, and the reply of the call has its result.
        break;
    }
  }
}
