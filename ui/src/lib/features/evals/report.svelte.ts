import { asFailure, type Client, Latest } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import { type MatrixFilter, rowsOf } from './matrix';
import { RunDifference } from './runDifference.svelte';
import type { EvalReport } from './types';

const NO_FILTER: MatrixFilter = { regressions: false, failed: false };

interface CellKey {
  /** Key of the case. */
  case: string;
  variant: number;
}

/** The report of the shown run. */
export class Report {
  id = $state.raw<string | null>(null);
  value = $state.raw<EvalReport | null>(null);
  failure = $state.raw<Failure | null>(null);
  filter = $state.raw<MatrixFilter>(NO_FILTER);
  /** The cell whose outputs were shown last. */
  lastCell = $state.raw<CellKey | null>(null);
  #cell = $state.raw<CellKey | null>(null);
  readonly difference: RunDifference;
  /** What the table shows: the run, or both compared runs. */
  readonly matrix = $derived.by(() => this.difference.report ?? this.value);
  readonly rows = $derived(this.matrix === null ? [] : rowsOf(this.matrix, this.filter));
  readonly #client: Client;
  readonly #reading = new Latest(() => this.#read());

  constructor(client: Client) {
    this.#client = client;
    // The table has other columns then.
    this.difference = new RunDifference(client, () => ([this.#cell, this.lastCell] = [null, null]));
  }

  /** The cell whose outputs are shown. */
  get cell(): CellKey | null {
    return this.#cell;
  }

  set cell(cell: CellKey | null) {
    this.lastCell = this.#cell;
    this.#cell = cell;
  }

  show(id: string | null): void {
    if (this.id === id) return;
    this.id = id;
    [this.value, this.failure, this.filter] = [null, null, NO_FILTER];
    this.difference.close();
    this.refresh();
  }

  refresh(): void {
    if (this.id !== null) this.#reading.ask();
  }

  /** Shows the result of a call. */
  put(report: EvalReport): void {
    if (report.run.id === this.id) [this.value, this.failure] = [report, null];
  }

  async #read(): Promise<void> {
    const { id } = this;
    if (id === null) return;
    try {
      const value = await this.#client.call('eval/get', { run: id });
      if (id === this.id) [this.value, this.failure] = [value, null];
    } catch (cause) {
      if (id === this.id) this.failure = asFailure(cause);
    }
  }
}
