import type { Catalog, SkillKey } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { Drag, type DropTarget } from './drag.svelte';
import { InlineRename, type RenameEvents } from './inlineRename.svelte';
import { canOpen, fileId, type ItemRow, type Row } from './rows';
import { Selection } from './selection.svelte';
import { TreeClipboard } from './treeClipboard.svelte';
import { TreeCursor } from './treeCursor.svelte';
import { TreeModel } from './treeModel.svelte';

export interface TreeEvents extends Pick<RenameEvents, 'mayRename' | 'rename'> {
  /** Moves or copies items. */
  transfer: (rows: ItemRow[], target: DropTarget, copy: boolean) => void;
}

/** The tree of skills. */
export class Tree {
  readonly model: TreeModel;
  readonly cursor: TreeCursor;
  readonly selection: Selection;
  readonly rename: InlineRename;
  readonly clipboard: TreeClipboard;
  readonly drag: Drag;
  readonly focusRequest = new ViewRequest();
  /** The row at a point of the window; set by the component. */
  rowAt: (x: number, y: number) => Row | null = () => null;

  constructor(catalog: Catalog, { mayRename, rename, transfer }: TreeEvents) {
    this.model = new TreeModel(catalog);
    this.cursor = new TreeCursor(this.model);
    this.selection = new Selection(this.model, this.cursor);
    this.clipboard = new TreeClipboard(this.cursor, this.selection, transfer);
    this.rename = new InlineRename({
      mayRename,
      rename,
      started: (row) => this.selection.moveTo(row.id),
      ended: () => this.focusRequest.send(),
    });
    this.drag = new Drag({
      rows: (row) => {
        // Dragging a row outside the selection drags that row only.
        if (!this.selection.has(row.id)) this.selection.anchor(row.id);
        return this.selection.targetsAt(row);
      },
      isOpen: (row) => !canOpen(row) || this.model.isOpen(row),
      open: (row) => this.model.toggle(row, true),
      drop: transfer,
    });
  }

  /** Expands the ancestors of a skill or file and moves the cursor to it. */
  reveal(key: SkillKey, path?: string): void {
    this.cursor.id = this.model.expandTo(key, path);
  }

  /** Reveals the first of several files of a skill, and selects all of them. */
  select(key: SkillKey, paths: readonly string[]): void {
    const [first] = paths;
    if (first === undefined) return;
    this.reveal(key, first);
    this.selection.anchor(this.cursor.id);
    if (paths.length > 1) this.selection.ids = new Set(paths.map((path) => fileId(key, path)));
  }

  collapseAll(): void {
    this.model.collapseAll();
    if (this.cursor.index < 0) this.cursor.id = null;
  }

  /** Another workspace is open. */
  reset(): void {
    this.clipboard.clear();
    this.rename.discard();
    this.drag.cancel();
    this.selection.anchor(null);
  }
}
