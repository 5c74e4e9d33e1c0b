import { type DropTarget, dropTargetOf } from './drag.svelte';
import type { ItemRow, Row } from './rows';
import type { Selection } from './selection.svelte';
import type { TreeCursor } from './treeCursor.svelte';

/** Rows that were cut or copied. */
export class TreeClipboard {
  #content = $state.raw<{ rows: ItemRow[]; cut: boolean } | null>(null);
  readonly #cutIds = $derived(new Set(this.#content?.cut ? this.#content.rows.map((row) => row.id) : []));
  readonly #cursor: TreeCursor;
  readonly #selection: Selection;
  readonly #paste: (rows: ItemRow[], target: DropTarget, copy: boolean) => void;

  constructor(cursor: TreeCursor, selection: Selection, paste: (rows: ItemRow[], target: DropTarget, copy: boolean) => void) {
    this.#cursor = cursor;
    this.#selection = selection;
    this.#paste = paste;
  }

  get isEmpty(): boolean {
    return this.#content === null;
  }

  isCut(row: Row): boolean {
    return this.#cutIds.has(row.id);
  }

  cut(): void {
    this.#fill(true);
  }

  copy(): void {
    this.#fill(false);
  }

  /** Pastes at the cursor. Cut rows can be pasted once. */
  paste(): void {
    const content = this.#content;
    const { row } = this.#cursor;
    if (!content || !row) return;
    const target = dropTargetOf(row, content.rows.some((one) => one.kind === 'skill'));
    if (!target) return;
    if (content.cut) this.clear();
    this.#paste(content.rows, target, !content.cut);
  }

  /** False if nothing was cut. */
  cancelCut(): boolean {
    const wasCut = this.#content?.cut === true;
    if (wasCut) this.clear();
    return wasCut;
  }

  clear(): void {
    this.#content = null;
  }

  #fill(cut: boolean): void {
    const rows = this.#selection.targets;
    if (rows.length > 0) this.#content = { rows, cut };
  }
}
