import { asFailure, type Client, Latest } from '$lib/api';
import { isExecuted, type UsageTotal, sumOf } from '$lib/domain';
import type { Failure, Run, Trace } from '$lib/api/generated';
import type { Approve } from '$lib/features/run';
import { Replay } from './replay.svelte';
import type { Runs } from './runs.svelte';

export class RunView {
  run = $state.raw<Run.RunDetail | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The selected step; the last executed one if none is. */
  #chosen = $state.raw<string | null>(null);
  readonly trace = $derived<Trace | null>(
    this.run?.executions.find((one) => one.id === this.#chosen) ?? this.run?.executions.findLast((one) => isExecuted(one)) ?? this.run?.executions.at(-1) ?? null,
  );
  #id: string | null = null;
  readonly replay: Replay;
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client, runs: Runs, approve: Approve) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
    this.replay = new Replay(client, runs, approve, () => this.#latest.ask());
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
    this.replay.forget();
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

/** The usage of a run, without and with its nested runs. */
export function usesOf(run: Run.RunDetail): { own: UsageTotal; withCalled: UsageTotal } {
  const executed = sumOf(run.executions.filter(isExecuted));
  const own = { ...sumOf([run]), unpriced: executed.unpriced };
  return { own, withCalled: sumOf([own, ...run.called]) };
}

export interface Bar {
  trace: Trace;
  /** Start and width in percent of the run. */
  from: number;
  width: number;
}

/** The steps on one time scale, one after the other. Context steps have no duration. */
export function barsOf(run: Run.RunDetail, now = Date.now()): Bar[] {
  const tookOf = (trace: Trace): number => trace.duration_ms ?? (trace.status === 'running' ? Math.max(0, now - Date.parse(trace.started_at)) : 0);
  const total = Math.max(1, run.executions.reduce((sum, trace) => sum + tookOf(trace), 0));
  let from = 0;
  return run.executions.map((trace) => {
    const bar = { trace, from, width: (tookOf(trace) / total) * 100 };
    from += bar.width;
    return bar;
  });
}
