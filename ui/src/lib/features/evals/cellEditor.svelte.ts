import { asFailure, sentence } from '$lib/api';
import { addition, type CaseColumn, type CaseType, COLUMNS, editOf, isEditable, textOf, titleOf } from './caseColumns';
import type { CaseCursor } from './caseCursor.svelte';
import type { CaseList } from './caseList.svelte';
import type { EvalCase } from './types';

interface Editing {
  /** Null for a new case. */
  case: EvalCase | null;
  column: CaseColumn;
  /** Of a new case. */
  type: CaseType;
  text: string;
  /** Why the text can’t be saved; empty if it wasn’t refused. */
  problem: string;
}

const INPUT = COLUMNS.findIndex(({ id }) => id === 'input');

/** Edits one cell of the table of cases. */
export class CellEditor {
  editing = $state.raw<Editing | null>(null);
  #committing = false;
  readonly #list: CaseList;
  readonly #cursor: CaseCursor;
  readonly #isLocked: () => boolean;

  constructor(list: CaseList, cursor: CaseCursor, isLocked: () => boolean) {
    this.#list = list;
    this.#cursor = cursor;
    this.#isLocked = isLocked;
  }

  canEdit(one: EvalCase, column: CaseColumn): boolean {
    return !this.#isLocked() && isEditable(one, column);
  }

  /** Edits the current cell. `text` replaces its text. */
  begin(text?: string): void {
    const [one, column] = [this.#cursor.current, COLUMNS[this.#cursor.column]];
    if (!one || !column || !this.canEdit(one, column)) return;
    this.editing = { case: one, column, type: 'task', text: text ?? textOf(one, column.id), problem: '' };
  }

  /** Edits the request of a new case, which is added when it is saved. */
  add(type: CaseType): void {
    const column = COLUMNS[INPUT];
    if (!column || this.#isLocked() || this.#list.cases === null) return;
    this.#cursor.column = INPUT;
    this.editing = { case: null, column, type, text: '', problem: '' };
  }

  type(text: string): void {
    if (this.editing) this.editing = { ...this.editing, text, problem: '' };
  }

  cancel(): void {
    this.editing = null;
    this.#cursor.focusRequest.send();
  }

  /** Saves the text, then moves by some cells; `refocus`: and focuses the table. False if it wasn’t saved. */
  async commit(step = 0, refocus = true): Promise<boolean> {
    const { editing } = this;
    if (!editing || this.#committing) return false;
    const before = new Set(this.#list.cases?.map(({ key }) => key));
    this.#committing = true;
    const problem = await this.#save(editing).finally(() => (this.#committing = false));
    // Canceled meanwhile.
    if (this.editing?.case !== editing.case) return false;
    if (problem !== null) {
      this.editing = { ...this.editing, problem };
      return false;
    }
    this.editing = null;
    const added = editing.case === null ? (this.#list.cases?.findIndex(({ key }) => !before.has(key)) ?? -1) : -1;
    this.#cursor.move(added < 0 ? this.#cursor.row : added);
    if (step !== 0) this.#cursor.step(step);
    if (refocus) this.#cursor.focusRequest.send();
    return true;
  }

  /** Null on success. */
  async #save({ case: one, column, type, text }: Editing): Promise<string | null> {
    if (one === null) {
      if (text.trim() === '') return null;
      const failure = await this.#list.edit([addition(type, text, this.#list.cases ?? [])], 'Added a case', 'add a case');
      return failure && sentence(failure.message);
    }
    if (text === textOf(one, column.id)) return null;
    try {
      const expectations = column.id === 'checks' && (await this.#list.hasExpectations(one.file));
      const edit = editOf(one, column.id, text, expectations);
      if ('problem' in edit) return edit.problem;
      const what = `the ${column.label.toLowerCase()} of ${titleOf(one)}`;
      const failure = await this.#list.edit(edit.changes, `Changed ${what}`, `change ${what}`);
      return failure && sentence(failure.message);
    } catch (cause) {
      return sentence(asFailure(cause).message);
    }
  }
}
