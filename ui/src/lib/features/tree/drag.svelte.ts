import { isItem, pathOf, type Row, type ItemRow } from './rows';
import { folderOf } from '$lib/domain';
import type { SkillOverview } from '$lib/api';
import type { Scope } from '$lib/api/generated';

/** Where items can be moved to: the root or a folder of a skill, or a scope. */
export type DropTarget = { kind: 'folder'; skill: SkillOverview; folder: string } | { kind: 'scope'; scope: Scope };

/** The target of a drop on a row. `skills`: whether skills are dropped, instead of files. */
export function dropTargetOf(row: Row, skills: boolean): DropTarget | null {
  if (skills) {
    const scope = row.kind === 'section' ? row.scope : row.skill ? row.skill.scope : row.kind === 'note' ? row.create : null;
    return scope ? { kind: 'scope', scope } : null;
  }
  if (row.kind === 'section' || !row.skill) return null;
  const folder = row.kind === 'folder' ? row.path : row.kind === 'file' ? folderOf(row.entry.path) : '';
  return { kind: 'folder', skill: row.skill, folder };
}

/** Why the items can’t be moved there; null if they can. The core checks again, including names. */
export function rejectionOf(items: readonly ItemRow[], target: DropTarget, copy: boolean): string | null {
  if (target.kind === 'scope') {
    if (items.some((one) => one.kind !== 'skill')) return 'Drop files on a skill or folder';
    if (items.every((one) => one.skill.scope === target.scope)) return 'Already here';
    if (!copy && items.some((one) => one.skill.locked)) return 'A locked skill can only be copied';
    return null;
  }
  if (items.some((one) => one.kind === 'skill')) return 'A skill can’t contain another skill';
  if (target.skill.locked) return `${target.skill.name} is locked`;
  let moves = false;
  for (const one of items) {
    if (one.kind === 'skill') continue;
    if (one.kind === 'file' && (one.entry.role === 'main' || one.entry.role === 'manifest')) return `${one.label} can’t be moved`;
    const same = one.skill.id === target.skill.id && one.skill.scope === target.skill.scope;
    const path = pathOf(one);
    if (same && one.kind === 'folder' && (target.folder === path || target.folder.startsWith(`${path}/`))) return 'A folder can’t be moved into itself';
    if (!same && !copy && one.skill.locked) return `${one.skill.name} is locked: its files can only be copied`;
    moves ||= copy || !same || folderOf(path) !== target.folder;
  }
  return moves ? null : 'Already here';
}

export interface DragEvents {
  rows: (grabbed: Row) => ItemRow[];
  isOpen: (row: Row) => boolean;
  open: (row: Row) => void;
  drop: (items: ItemRow[], target: DropTarget, copy: boolean) => void;
}

/** Pointer movement that starts a drag. */
const THRESHOLD_PX = 5;
/** Hovering over a closed row this long opens it. */
const OPEN_DELAY_MS = 650;

/** Items, or files of the desktop, that are dragged over the tree. */
export class Drag {
  /** Null while nothing of the tree is dragged. */
  items = $state.raw<ItemRow[] | null>(null);
  /** Whether files of the desktop are dragged. */
  #outside = $state(false);
  at = $state.raw({ x: 0, y: 0 });
  copy = $state(false);
  over = $state.raw<Row | null>(null);
  readonly active = $derived(this.items !== null || this.#outside);
  readonly target = $derived.by<DropTarget | null>(() => {
    if (!this.over || !this.active) return null;
    return dropTargetOf(this.over, this.items?.some((one) => one.kind === 'skill') ?? false);
  });
  readonly rejection = $derived.by(() => {
    if (!this.target || !this.active) return null;
    if (this.items) return rejectionOf(this.items, this.target, this.copy);
    return this.target.kind === 'folder' && this.target.skill.locked ? `${this.target.skill.name} is locked` : null;
  });
  readonly #events: DragEvents;
  #pressed: { row: Row; x: number; y: number } | null = null;
  #opening: ReturnType<typeof setTimeout> | undefined;

  constructor(events: DragEvents) {
    this.#events = events;
  }

  press(row: Row, x: number, y: number): void {
    this.#pressed = isItem(row) ? { row, x, y } : null;
  }

  /** `over` finds the row under the pointer. */
  move(x: number, y: number, copy: boolean, over: () => Row | null): void {
    if (!this.items) {
      const from = this.#pressed;
      if (!from || Math.hypot(x - from.x, y - from.y) < THRESHOLD_PX) return;
      this.items = this.#events.rows(from.row);
    }
    this.at = { x, y };
    this.copy = copy;
    this.#hover(over());
  }

  hoverOutside(x: number, y: number, over: Row | null): void {
    this.#outside = true;
    this.at = { x, y };
    this.#hover(over);
  }

  /** True if this ended a drag, so that it isn’t a click. */
  drop(): boolean {
    const { items, target, rejection, copy } = this;
    const dragged = items !== null;
    this.cancel();
    if (items && target && rejection === null) this.#events.drop(items, target, copy);
    return dragged;
  }

  /** False if there was nothing to cancel. */
  cancel(): boolean {
    const wasActive = this.active;
    clearTimeout(this.#opening);
    this.#pressed = this.items = this.over = null;
    this.#outside = this.copy = false;
    return wasActive;
  }

  #hover(row: Row | null): void {
    if (row?.id === this.over?.id) return;
    this.over = row;
    clearTimeout(this.#opening);
    if (row === null || this.#events.isOpen(row)) return;
    this.#opening = setTimeout(() => this.#events.open(row), OPEN_DELAY_MS);
  }
}

export const isDragged = (drag: Drag, row: Row): boolean => drag.items?.some((item) => item.id === row.id) ?? false;

/** Whether a row is in the folder or scope that is the target of the drop. */
export function isDropTarget(drag: Drag, row: Row): boolean {
  const { target } = drag;
  if (!target || drag.rejection !== null) return false;
  if (target.kind === 'scope') return row.kind === 'section' && row.scope === target.scope;
  const skill = row.kind === 'section' ? null : row.skill;
  if (skill?.id !== target.skill.id || skill.scope !== target.skill.scope) return false;
  if (target.folder === '') return true;
  if (row.kind === 'folder') return row.path === target.folder || row.path.startsWith(`${target.folder}/`);
  return row.kind === 'file' && row.entry.path.startsWith(`${target.folder}/`);
}
