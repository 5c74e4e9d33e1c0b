import { asFailure, type Client } from '$lib/api';
import type { Failure, ModelRef, Trace } from '$lib/api/generated';
import { type Approve, withApproval } from '$lib/features/run';
import type { Runs } from './runs.svelte';

/** Runs a step again with the same inputs and the current skill. */
export class Replay {
  /** Id of the step that is being replayed. */
  trace = $state.raw<string | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The runs to compare: the original one and its replay. */
  result = $state.raw<{ before: string; after: string } | null>(null);
  #refused: { trace: Trace; model: ModelRef | null } | null = null;
  readonly #client: Client;
  readonly #runs: Runs;
  readonly #approve: Approve;
  readonly #done: () => void;

  constructor(client: Client, runs: Runs, approve: Approve, done: () => void) {
    this.#client = client;
    this.#runs = runs;
    this.#approve = approve;
    this.#done = done;
  }

  async start(trace: Trace, model: ModelRef | null = null): Promise<void> {
    if (this.trace !== null) return;
    this.trace = trace.id;
    this.failure = null;
    this.result = null;
    this.failure = await withApproval(this.#approve, (approved) => this.#execute(trace, model, approved));
    if (this.failure) this.#refused = { trace, model };
    this.trace = null;
  }

  /** Retries the last refused replay with the same model. */
  async retry(): Promise<void> {
    if (this.#refused) await this.start(this.#refused.trace, this.#refused.model);
  }

  /** Clears a refusal for lack of trust, once the workspace is trusted. */
  trusted(): void {
    if (this.failure?.code === 'notTrusted') this.failure = null;
  }

  forget(): void {
    this.failure = null;
    this.#refused = null;
  }

  async #execute(trace: Trace, model: ModelRef | null, approved: readonly string[]): Promise<Failure | null> {
    const run = crypto.randomUUID();
    const before = trace.run_id;
    // The run is listed as soon as its first trace is stored.
    const unsubscribe = this.#runs.onChange((event) => {
      if (event.ids.includes(run)) this.#follow(before, run);
    });
    try {
      await this.#client.call('run/replay', { trace: trace.id, run, model, ...(approved.length > 0 && { approve: [...approved] }) });
      this.#follow(before, run);
      this.result = { before, after: run };
      this.#done();
      return null;
    } catch (cause) {
      return asFailure(cause);
    } finally {
      unsubscribe();
    }
  }

  /** Selects the new run if the original is still selected. */
  #follow(before: string, run: string): void {
    if (this.#runs.selection.run === before) this.#runs.selection.select(run);
  }
}
