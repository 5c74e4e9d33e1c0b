import type { Settings } from '$lib/api';
import type { DocumentKey } from '$lib/features/editor';
import { Column } from './column.svelte';
import { type ColumnSpec, MAX_COLUMNS, readColumns, writeColumns } from './columns';

/** The columns of a playground, which are stored for its artifact. */
export class ColumnList {
  list = $state.raw<readonly Column[]>([]);
  readonly running = $derived(this.list.some((column) => column.running));
  readonly idle = $derived(this.list.filter((column) => !column.running));
  readonly canAdd = $derived(this.list.length < MAX_COLUMNS);
  /** The two columns that are selected for comparison, in their order on screen. Null unless both have text. */
  readonly pair = $derived.by<readonly [Column, Column] | null>(() => {
    const [left, right] = this.list.filter((column) => this.#marked.includes(column.id) && column.hasOutput);
    return left && right ? [left, right] : null;
  });
  /** Ids: at most two, in the order of selection. */
  #marked = $state.raw<readonly string[]>([]);
  readonly #settings: Settings;
  readonly #target: DocumentKey;
  readonly #onChange: () => void;

  constructor(settings: Settings, target: DocumentKey, onChange: () => void) {
    this.#settings = settings;
    this.#target = target;
    this.#onChange = onChange;
    this.list = readColumns(settings, target).map(({ run, ...spec }) => new Column(spec, run));
  }

  /** Adds a copy of a column beside it, by default of the last one. Null if there are too many. */
  add(like = this.list.at(-1), change: Partial<ColumnSpec> = {}): Column | null {
    if (!this.canAdd) return null;
    const column = new Column({ artifact: this.#target.path, model: null, revision: null, ...like?.spec, ...change });
    this.#set(this.list.toSpliced(like ? this.list.indexOf(like) + 1 : this.list.length, 0, column));
    return column;
  }

  remove(column: Column): void {
    this.mark(column, false);
    this.#set(this.list.filter((one) => one !== column));
  }

  change(column: Column, change: Partial<ColumnSpec>): void {
    column.spec = { ...column.spec, ...change };
    this.#set(this.list);
  }

  /** Stores what is shown, for the next start. */
  store(): void {
    writeColumns(this.#settings, this.#target, this.list.map((column) => column.stored));
  }

  isMarked(column: Column): boolean {
    return this.#marked.includes(column.id);
  }

  /** Selects a column for comparison, or not. Of more than two, the one selected first is dropped. */
  mark(column: Column, on: boolean): void {
    const others = this.#marked.filter((id) => id !== column.id);
    this.#marked = on ? [...others, column.id].slice(-2) : others;
  }

  #set(columns: readonly Column[]): void {
    this.list = columns;
    this.store();
    this.#onChange();
  }
}
