import { asFailure, type Client, Deadline, Latest } from '$lib/api';
import { costOf, sumOf } from '$lib/domain';
import type { Failure, StatsBy, StatsRow } from '$lib/api/generated';
import type { Runs } from './runs.svelte';

export type Measure = 'tokens' | 'cost' | 'runs';

const DAY = 86_400_000;
/** Days that the chart shows at most: a point each. */
const MOST_DAYS = 400;

/** Tokens and cost of what the list shows, by day, artifact, model or skill. */
export class Usage {
  by = $state<StatsBy>('day');
  measure = $state<Measure>('tokens');
  rows = $state.raw<StatsRow[]>([]);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly total = $derived(
    this.rows.reduce(
      (sum, row) => ({ runs: sum.runs + row.runs, tokens: sum.tokens + tokensIn(row) }),
      { runs: 0, tokens: 0 },
    ),
  );
  /** "$0.12", or that it is at least that where prices aren't known; empty where no model was asked. */
  readonly cost = $derived(costOf(sumOf(this.rows)));
  /** Executions whose price isn't known. */
  readonly unpriced = $derived(sumOf(this.rows).unpriced);
  readonly highest = $derived(Math.max(0, ...this.rows.map((row) => this.valueOf(row))));
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

  choose(by: StatsBy): void {
    this.by = by;
    this.loaded = false;
    this.#latest.ask();
  }

  /** Another workspace is open. */
  reset(): void {
    this.rows = [];
    this.loaded = false;
    this.failure = null;
    if (this.#active) this.#latest.ask();
  }

  retry(): void {
    this.#latest.ask();
  }

  valueOf(row: StatsRow): number {
    return this.measure === 'runs' ? row.runs : this.measure === 'cost' ? (row.estimated_cost ?? 0) : tokensIn(row);
  }

  async #read(): Promise<void> {
    const by = this.by;
    try {
      const { rows } = await this.#client.call('trace/stats', { by, filter: this.#runs.wire(), account: this.#runs.account });
      if (this.by !== by) return;
      this.rows = rows;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      if (this.by === by) this.failure = asFailure(cause);
    }
  }
}

const tokensIn = (row: StatsRow): number => (row.input_tokens ?? 0) + (row.output_tokens ?? 0);

/** One point a day, also for the days on which nothing ran. Times are seconds, as the chart wants them. */
export function daily(rows: readonly StatsRow[], valueOf: (row: StatsRow) => number): [number[], number[]] {
  const known = new Map(rows.map((row) => [Date.parse(row.key), valueOf(row)]));
  const times = [...known.keys()].sort((a, b) => a - b);
  const last = times.at(-1);
  if (last === undefined) return [[], []];
  const first = Math.max(times[0] ?? last, last - MOST_DAYS * DAY);
  const days: number[] = [];
  for (let day = Math.min(first, last - 6 * DAY); day <= last; day += DAY) days.push(day);
  return [days.map((day) => day / 1000), days.map((day) => known.get(day) ?? 0)];
}
