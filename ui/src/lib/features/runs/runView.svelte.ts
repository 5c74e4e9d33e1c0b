import { asFailure, type Client, Latest } from '$lib/api';
import { type Sum, sumOf } from '$lib/domain';
import type { Failure, ModelRef, RunDetail, Trace } from '$lib/api/generated';
import type { Runs } from './runs.svelte';

/** One run that is looked at: its executions, and running it again. */
export class RunView {
  run = $state.raw<RunDetail | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The execution that is shown; the last that was executed unless another one was chosen. */
  #chosen = $state.raw<string | null>(null);
  /** The trace that is being run again. */
  replaying = $state.raw<string | null>(null);
  replayFailure = $state.raw<Failure | null>(null);
  /** A run and what it ran again, to be compared. */
  replayed = $state.raw<{ before: string; after: string } | null>(null);
  readonly trace = $derived<Trace | null>(
    this.run?.executions.find((one) => one.id === this.#chosen) ?? this.run?.executions.findLast((one) => isExecuted(one)) ?? this.run?.executions.at(-1) ?? null,
  );
  #id: string | null = null;
  #refused: { trace: Trace; model: ModelRef | null } | null = null;
  readonly #client: Client;
  readonly #runs: Runs;
  readonly #latest: Latest;

  constructor(client: Client, runs: Runs) {
    this.#client = client;
    this.#runs = runs;
    this.#latest = new Latest(() => this.#read());
    runs.onChange((event) => {
      const shown = [this.#id, ...(this.run?.called.map((one) => one.run_id) ?? [])];
      if (this.#id !== null && (event.ids.length === 0 || event.ids.includes('') || shown.some((id) => id !== null && event.ids.includes(id)))) this.#latest.ask();
    });
  }

  show(id: string | null): void {
    if (this.#id === id) return;
    this.#id = id;
    this.run = null;
    this.failure = null;
    this.replayFailure = null;
    this.#refused = null;
    this.#chosen = null;
    if (id !== null) this.#latest.ask();
  }

  choose(trace: string): void {
    this.#chosen = trace;
  }

  retry(): void {
    this.#latest.ask();
  }

  async stop(): Promise<Failure | null> {
    if (this.#id === null) return null;
    try {
      await this.#client.call('run/cancel', { run: this.#id });
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  /** Runs with the same values against the skill as it is now, and shows what comes of it. */
  async replay(trace: Trace, model: ModelRef | null = null): Promise<void> {
    if (this.replaying !== null) return;
    this.replaying = trace.id;
    this.replayFailure = null;
    this.replayed = null;
    const run = crypto.randomUUID();
    const before = trace.run_id;
    // It is in the list as soon as its first row is written.
    const unsubscribe = this.#runs.onChange((event) => {
      if (event.ids.includes(run)) this.#goOn(before, run);
    });
    try {
      await this.#client.call('run/replay', { trace: trace.id, run, model });
      this.#goOn(before, run);
      this.replayed = { before, after: run };
      this.#latest.ask();
    } catch (cause) {
      this.replayFailure = asFailure(cause);
      this.#refused = { trace, model };
    } finally {
      unsubscribe();
      this.replaying = null;
    }
  }

  /** The workspace is trusted now: a refusal that said it isn't is gone. */
  trusted(): void {
    if (this.replayFailure?.code === 'notTrusted') this.replayFailure = null;
  }

  /** Runs again what was refused last, with the model that was chosen for it. */
  async retryReplay(): Promise<void> {
    if (this.#refused) await this.replay(this.#refused.trace, this.#refused.model);
  }

  /** Follows the new run, unless the person looks at something else by now. */
  #goOn(before: string, run: string): void {
    if (this.#runs.selected === before) this.#runs.select(run);
  }

  async #read(): Promise<void> {
    const id = this.#id;
    if (id === null) return;
    try {
      const run = await this.#client.call('run/get', { run: id });
      if (this.#id === id) [this.run, this.failure] = [run, null];
    } catch (cause) {
      if (this.#id === id) this.failure = asFailure(cause);
    }
  }
}

export const isExecuted = ({ artifact_kind: kind }: Trace): boolean => kind !== 'description' && kind !== 'approach' && kind !== 'example';

/** What a run used, by itself and together with the runs that it called. */
export function usesOf(run: RunDetail): { own: Sum; withCalled: Sum } {
  const executed = sumOf(run.executions.filter(isExecuted));
  const own = { ...sumOf([run]), unpriced: executed.unpriced };
  return { own, withCalled: sumOf([own, ...run.called]) };
}

export interface Bar {
  trace: Trace;
  /** Where it begins and how long it is, in percent of the run. */
  from: number;
  width: number;
}

/** The executions on one scale of time, one after the other. What only accompanies prompts takes none. */
export function barsOf(run: RunDetail, now = Date.now()): Bar[] {
  const tookOf = (trace: Trace): number => trace.duration_ms ?? (trace.status === 'running' ? Math.max(0, now - Date.parse(trace.started_at)) : 0);
  const total = Math.max(1, run.executions.reduce((sum, trace) => sum + tookOf(trace), 0));
  let from = 0;
  return run.executions.map((trace) => {
    const bar = { trace, from, width: (tookOf(trace) / total) * 100 };
    from += bar.width;
    return bar;
  });
}
