import { isThing, pathOf, type Row, type ThingRow } from './rows';
import { folderOf } from '$lib/domain';
import type { Brief } from '$lib/api';
import type { Scope } from '$lib/api/generated';

/** Where things can come to: the top or a folder of a skill, or a scope. */
export type Goal = { kind: 'folder'; skill: Brief; folder: string } | { kind: 'scope'; scope: Scope };

/** What dropping on a row means. */
export function goalOf(row: Row, skills: boolean): Goal | null {
  if (skills) {
    const scope = row.kind === 'section' ? row.scope : row.skill ? row.skill.scope : row.kind === 'note' ? row.create : null;
    return scope ? { kind: 'scope', scope } : null;
  }
  if (row.kind === 'section' || !row.skill) return null;
  const folder = row.kind === 'folder' ? row.path : row.kind === 'file' ? folderOf(row.entry.path) : '';
  return { kind: 'folder', skill: row.skill, folder };
}

/** Why these can't come there; null when they can. The core checks again, names included. */
export function refusal(things: readonly ThingRow[], goal: Goal, copy: boolean): string | null {
  if (goal.kind === 'scope') {
    if (things.some((one) => one.kind !== 'skill')) return 'Drop files on a skill or folder';
    if (things.every((one) => one.skill.scope === goal.scope)) return 'Already here';
    if (!copy && things.some((one) => one.skill.locked)) return 'A locked skill can only be copied';
    return null;
  }
  if (things.some((one) => one.kind === 'skill')) return 'A skill can’t contain another skill';
  if (goal.skill.locked) return `${goal.skill.name} is locked`;
  let moves = false;
  for (const one of things) {
    if (one.kind === 'skill') continue;
    if (one.kind === 'file' && (one.entry.role === 'main' || one.entry.role === 'manifest')) return `${one.label} can’t be moved`;
    const same = one.skill.id === goal.skill.id && one.skill.scope === goal.skill.scope;
    const path = pathOf(one);
    if (same && one.kind === 'folder' && (goal.folder === path || goal.folder.startsWith(`${path}/`))) return 'A folder can’t be moved into itself';
    if (!same && !copy && one.skill.locked) return `${one.skill.name} is locked: its files can only be copied`;
    moves ||= copy || !same || folderOf(path) !== goal.folder;
  }
  return moves ? null : 'Already here';
}

export interface DragEvents {
  rows: (grabbed: Row) => ThingRow[];
  isOpen: (row: Row) => boolean;
  open: (row: Row) => void;
  drop: (things: ThingRow[], goal: Goal, copy: boolean) => void;
}

/** Pixels that the pointer moves before a press becomes a drag. */
const THRESHOLD = 5;
const OPENS_AFTER_MS = 650;

/** Things on their way under the pointer. Files of the desktop pass through here too, without things of the tree. */
export class Drag {
  /** What is dragged; null while nothing is. */
  things = $state.raw<ThingRow[] | null>(null);
  /** Files of the desktop are over the window. */
  outside = $state(false);
  at = $state.raw({ x: 0, y: 0 });
  copy = $state(false);
  over = $state.raw<Row | null>(null);
  readonly active = $derived(this.things !== null || this.outside);
  readonly goal = $derived.by<Goal | null>(() => {
    if (!this.over || !this.active) return null;
    return goalOf(this.over, this.things?.some((one) => one.kind === 'skill') ?? false);
  });
  readonly refused = $derived.by(() => {
    if (!this.goal || !this.active) return null;
    if (this.things) return refusal(this.things, this.goal, this.copy);
    return this.goal.kind === 'folder' && this.goal.skill.locked ? `${this.goal.skill.name} is locked` : null;
  });
  readonly #events: DragEvents;
  #pressed: { row: Row; x: number; y: number } | null = null;
  #opening: ReturnType<typeof setTimeout> | undefined;

  constructor(events: DragEvents) {
    this.#events = events;
  }

  press(row: Row, x: number, y: number): void {
    this.#pressed = isThing(row) ? { row, x, y } : null;
  }

  /** The pointer went on; `over` finds the row under it. */
  move(x: number, y: number, copy: boolean, over: () => Row | null): void {
    if (!this.things) {
      const from = this.#pressed;
      if (!from || Math.hypot(x - from.x, y - from.y) < THRESHOLD) return;
      this.things = this.#events.rows(from.row);
    }
    this.at = { x, y };
    this.copy = copy;
    this.#hover(over());
  }

  /** Files of the desktop are over a row, or over none. */
  hoverOutside(x: number, y: number, over: Row | null): void {
    this.outside = true;
    this.at = { x, y };
    this.#hover(over);
  }

  /** Lets go. True when this ended a drag, so that it is no click. */
  drop(): boolean {
    const { things, goal, refused, copy } = this;
    const dragged = things !== null;
    this.cancel();
    if (things && goal && refused === null) this.#events.drop(things, goal, copy);
    return dragged;
  }

  /** True when there was something to cancel. */
  cancel(): boolean {
    const had = this.active;
    clearTimeout(this.#opening);
    this.#pressed = this.things = this.over = null;
    this.outside = this.copy = false;
    return had;
  }

  /** Whether a row is on its way. */
  carries(row: Row): boolean {
    return this.things?.some((thing) => thing.id === row.id) ?? false;
  }

  /** Whether a row is in the folder that things would come to. */
  covers(row: Row): boolean {
    const { goal } = this;
    if (!goal || this.refused !== null) return false;
    if (goal.kind === 'scope') return row.kind === 'section' && row.scope === goal.scope;
    const skill = row.kind === 'section' ? null : row.skill;
    if (skill?.id !== goal.skill.id || skill.scope !== goal.skill.scope) return false;
    if (goal.folder === '') return true;
    if (row.kind === 'folder') return row.path === goal.folder || row.path.startsWith(`${goal.folder}/`);
    return row.kind === 'file' && row.entry.path.startsWith(`${goal.folder}/`);
  }

  #hover(row: Row | null): void {
    if (row?.id === this.over?.id) return;
    this.over = row;
    clearTimeout(this.#opening);
    if (row === null || this.#events.isOpen(row)) return;
    this.#opening = setTimeout(() => this.#events.open(row), OPENS_AFTER_MS);
  }
}
