import { ViewRequest } from '$lib/components';
import { COLUMNS } from './caseColumns';
import type { CaseList } from './caseList.svelte';
import type { EvalCase } from './types';

/** The current cell of the table of cases. */
export class CaseCursor {
  row = $state(0);
  column = $state(0);
  /** Sent when the table takes the focus. */
  readonly focusRequest = new ViewRequest();
  readonly current = $derived.by<EvalCase | null>(() => this.#list.cases?.[this.row] ?? null);
  readonly #list: CaseList;

  constructor(list: CaseList) {
    this.#list = list;
  }

  get rows(): number {
    return this.#list.cases?.length ?? 0;
  }

  move(row: number, column = this.column): void {
    this.row = Math.max(0, Math.min(this.rows - 1, row));
    this.column = Math.max(0, Math.min(COLUMNS.length - 1, column));
  }

  /** Moves by some cells; over the end of a row, to the next one. */
  step(by: number): void {
    const last = this.rows * COLUMNS.length - 1;
    const to = Math.max(0, Math.min(last, this.row * COLUMNS.length + this.column + by));
    this.move(Math.floor(to / COLUMNS.length), to % COLUMNS.length);
  }
}
