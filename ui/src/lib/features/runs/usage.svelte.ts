import { asFailure, type Client, Deadline, Latest } from '$lib/api';
import { costOf, sumOf } from '$lib/domain';
import type { Failure, Trace } from '$lib/api/generated';
import type { Runs } from './runs.svelte';

export type Measure = 'tokens' | 'cost' | 'runs';

const DAY = 86_400_000;
const MAX_DAYS = 400;

/** Tokens and cost of the listed runs, by day, artifact, model or skill. */
export class Usage {
  by = $state<Trace.StatsBy>('day');
  measure = $state<Measure>('tokens');
  rows = $state.raw<Trace.StatsRow[]>([]);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly totals = $derived.by(() => {
    const sum = sumOf(this.rows);
    return {
      runs: this.rows.reduce((runs, row) => runs + row.runs, 0),
      input: sum.input_tokens ?? 0,
      output: sum.output_tokens ?? 0,
      errors: this.rows.reduce((errors, row) => errors + row.errors, 0),
      /** "$0.12" or "at least $0.12"; empty if no model was called. */
      cost: costOf(sum),
      /** Steps with an unknown price. */
      unpriced: sum.unpriced,
      /** The largest value of a row. */
      highest: Math.max(0, ...this.rows.map((row) => this.valueOf(row))),
    };
  });
  #active = false;
  readonly #client: Client;
  readonly #runs: Runs;
  readonly #latest: Latest;
  readonly #soon = new Deadline(400, () => this.#latest.ask());

  constructor(client: Client, runs: Runs) {
    this.#client = client;
    this.#runs = runs;
    this.#latest = new Latest(() => this.#read());
    runs.onChange(() => {
      if (this.#active) this.#soon.touch();
    });
  }

  open(): void {
    this.#active = true;
    this.#latest.ask();
  }

  close(): void {
    this.#active = false;
  }

  choose(by: Trace.StatsBy): void {
    this.by = by;
    this.loaded = false;
    this.#latest.ask();
  }

  reset(): void {
    this.rows = [];
    this.loaded = false;
    this.failure = null;
    if (this.#active) this.#latest.ask();
  }

  retry(): void {
    this.#latest.ask();
  }

  valueOf(row: Trace.StatsRow): number {
    return this.measure === 'runs' ? row.runs : this.measure === 'cost' ? (row.estimated_cost ?? 0) : tokensIn(row);
  }

  async #read(): Promise<void> {
    const by = this.by;
    try {
      const { rows } = await this.#client.call('trace/stats', { by, filter: this.#runs.query.wire(), account: this.#runs.query.account });
      if (this.by !== by) return;
      this.rows = rows;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      if (this.by === by) this.failure = asFailure(cause);
    }
  }
}

const tokensIn = (row: Trace.StatsRow): number => (row.input_tokens ?? 0) + (row.output_tokens ?? 0);

/** One point per day, also for days without runs. Times are in seconds for the chart. */
export function daily(rows: readonly Trace.StatsRow[], valueOf: (row: Trace.StatsRow) => number): [number[], number[]] {
  const known = new Map(rows.map((row) => [Date.parse(row.key), valueOf(row)]));
  const times = [...known.keys()].sort((a, b) => a - b);
  const last = times.at(-1);
  if (last === undefined) return [[], []];
  const first = Math.max(times[0] ?? last, last - MAX_DAYS * DAY);
  const days: number[] = [];
  for (let day = Math.min(first, last - 6 * DAY); day <= last; day += DAY) days.push(day);
  return [days.map((day) => day / 1000), days.map((day) => known.get(day) ?? 0)];
}
