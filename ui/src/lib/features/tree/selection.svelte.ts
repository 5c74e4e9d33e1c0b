import { isItem, type Row, type ItemRow } from './rows';
import type { TreeCursor } from './treeCursor.svelte';
import type { TreeModel } from './treeModel.svelte';

/** The selected rows. While none is, actions apply to the row at the cursor. */
export class Selection {
  ids = $state.raw<ReadonlySet<string>>(new Set());
  /** Where a range begins. */
  #anchor: string | null = null;
  readonly #model: TreeModel;
  readonly #cursor: TreeCursor;

  constructor(model: TreeModel, cursor: TreeCursor) {
    this.#model = model;
    this.#cursor = cursor;
  }

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Sets the start of a range, and clears the selection. */
  anchor(id: string | null): void {
    this.#anchor = id;
    this.clear();
  }

  /** Moves the cursor, which clears the selection. */
  moveTo(id: string): void {
    this.#cursor.id = id;
    this.anchor(id);
  }

  toggle(row: ItemRow): void {
    const ids = new Set(this.ids);
    const { row: current } = this.#cursor;
    // The row at the cursor is part of the first selection.
    if (ids.size === 0 && current && isItem(current) && current.id !== row.id) ids.add(current.id);
    if (!ids.delete(row.id)) ids.add(row.id);
    this.ids = ids;
    this.#anchor = row.id;
  }

  /** Selects from the anchor to this row. */
  extend(to: number): void {
    this.#anchor ??= this.#cursor.id;
    const { rows } = this.#model;
    const start = rows.findIndex((row) => row.id === this.#anchor);
    const [first, last] = [Math.min(start < 0 ? to : start, to), Math.max(start, to)];
    this.set(rows.slice(first, last + 1).filter(isItem));
  }

  /** Everything in the skill of the cursor; on a skill, all skills of its scope. */
  selectAll(): void {
    const { row: current } = this.#cursor;
    if (!current || !isItem(current)) return;
    const { scope, id } = current.skill;
    this.set(
      this.#model.rows.filter((row) =>
        current.kind === 'skill' ? row.kind === 'skill' && row.skill.scope === scope : (row.kind === 'file' || row.kind === 'folder') && row.skill.id === id && row.skill.scope === scope,
      ),
    );
  }

  set(rows: readonly Row[]): void {
    this.ids = new Set(rows.map((row) => row.id));
  }

  /** False if nothing was selected. */
  clear(): boolean {
    const wasSelected = this.ids.size > 0;
    if (wasSelected) this.ids = new Set();
    return wasSelected;
  }

  /** The targets of an action: the selection, or the row at the cursor. */
  get targets(): ItemRow[] {
    const first = this.ids.size > 0 ? this.#model.rows.find((row) => this.ids.has(row.id)) : undefined;
    return this.targetsAt(first ?? this.#cursor.row);
  }

  /** The targets of an action on a row: the selection if the row is in it, else the row. The content of selected folders is implied. */
  targetsAt(row: Row | null): ItemRow[] {
    if (!row || !isItem(row)) return [];
    if (!this.ids.has(row.id)) return [row];
    return this.#model.rows.filter(isItem).filter((one) => this.ids.has(one.id) && !this.#hasSelectedAncestor(one));
  }

  #hasSelectedAncestor(row: ItemRow): boolean {
    for (let parent = row.parent; parent !== null; parent = parentOf(parent)) if (this.ids.has(parent)) return true;
    return false;
  }
}

/** The parent of `workspace:id/a/b/` is `workspace:id/a/`, and that of `workspace:id/a/` is `workspace:id`. */
function parentOf(id: string): string | null {
  const slash = id.lastIndexOf('/', id.length - 2);
  if (slash < 0) return null;
  const parent = id.slice(0, slash + 1);
  return parent.indexOf('/') === parent.length - 1 ? parent.slice(0, -1) : parent;
}
