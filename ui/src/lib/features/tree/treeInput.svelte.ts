import type { SkillDetails, SkillKey } from '$lib/api';
import { afterKey } from '$lib/domain';
import type { Scope } from '$lib/api/generated';
import { canOpen, isItem, type Row, type ItemRow } from './rows';
import type { Tree } from './tree.svelte';
import { TypeAhead } from './typeAhead';

export interface TreeActions {
  /** Shows a file; a preview is replaced by the next one. */
  open: (key: SkillKey, path: string, options: { preview: boolean; focus: boolean }) => void;
  menu: (row: Row, at: { x: number; y: number }) => void;
  create: (scope: Scope) => void;
  remove: (rows: ItemRow[]) => void;
}

export interface Modifiers {
  shift?: boolean;
  ctrl?: boolean;
}

/** What the keyboard and the mouse do in the tree. */
export class TreeInput {
  focused = $state(false);
  readonly #typeAhead = new TypeAhead();
  readonly #tree: Tree;
  readonly #details: SkillDetails;
  readonly #actions: TreeActions;

  constructor(tree: Tree, details: SkillDetails, actions: TreeActions) {
    this.#tree = tree;
    this.#details = details;
    this.#actions = actions;
  }

  click(row: Row, { shift = false, ctrl = false }: Modifiers = {}): void {
    const { model, cursor, selection } = this.#tree;
    if (isItem(row) && (shift || ctrl)) {
      if (shift) selection.extend(model.rows.indexOf(row));
      else selection.toggle(row);
      cursor.id = row.id;
      return;
    }
    this.#tree.selection.moveTo(row.id);
    if (row.kind === 'file') this.#actions.open(row.skill, row.entry.path, { preview: true, focus: false });
    else if (row.kind === 'note' && row.create) this.#actions.create(row.create);
    else if (row.kind === 'note' && row.skill) void this.#details.load(row.skill, true);
    else model.toggle(row);
  }

  /** Opens in a permanent tab and focuses it. */
  activate(row: Row): void {
    this.#tree.cursor.id = row.id;
    if (row.kind === 'file') this.#actions.open(row.skill, row.entry.path, { preview: false, focus: true });
    else if (row.kind === 'note') this.click(row);
    else this.#tree.model.toggle(row);
  }

  menu(row: Row, at: { x: number; y: number }): void {
    const { cursor, selection } = this.#tree;
    if (!selection.has(row.id)) selection.anchor(row.id);
    cursor.id = row.id;
    this.#actions.menu(row, at);
  }

  /** Handles a key at a time in milliseconds. False if it isn't a key of the tree. */
  key(key: string, now: number, { shift = false, ctrl = false }: Modifiers = {}): boolean {
    const { model, cursor, selection, rename } = this.#tree;
    const { row } = cursor;
    const index = afterKey(key, cursor.index, model.rows.length);
    if (index !== null && !ctrl) return this.#moveTo(index, shift);
    if (key === 'Escape') return this.#escape();
    if (!row) return false;
    if (ctrl) return this.#withCtrl(key, row);
    switch (key) {
      case 'ArrowRight':
        if (canOpen(row)) {
          if (!model.isOpen(row)) model.toggle(row, true);
          else this.#moveTo(cursor.index + 1, false);
        }
        return true;
      case 'ArrowLeft':
        if (model.isOpen(row)) model.toggle(row, false);
        else if (row.parent) this.#tree.selection.moveTo(row.parent);
        return true;
      case 'Enter':
        this.activate(row);
        return true;
      case ' ':
        if (this.#typeAhead.isTyping(now)) return this.#type(' ', now);
        this.click(row);
        return true;
      case 'F2':
        rename.start(row);
        return true;
      case 'Delete':
        if (selection.targets.length > 0) this.#actions.remove(selection.targets);
        return true;
    }
    return key.length === 1 ? this.#type(key, now) : false;
  }

  #withCtrl(key: string, row: Row): boolean {
    const { selection } = this.#tree;
    if (key === 'a') selection.selectAll();
    else if (key === ' ' && isItem(row)) selection.toggle(row);
    else return false;
    return true;
  }

  #escape(): boolean {
    const { clipboard, drag, selection } = this.#tree;
    return drag.cancel() || selection.clear() || clipboard.cancelCut();
  }

  #moveTo(index: number, extend: boolean): boolean {
    const { model, cursor, selection } = this.#tree;
    const row = model.rows[Math.max(0, index)];
    if (!row) return true;
    if (extend) {
      selection.extend(Math.max(0, index));
      cursor.id = row.id;
    } else this.#tree.selection.moveTo(row.id);
    return true;
  }

  #type(letter: string, now: number): boolean {
    const { model, cursor } = this.#tree;
    const row = this.#typeAhead.type(letter, now, model.rows, cursor.index);
    if (row) this.#tree.selection.moveTo(row.id);
    return true;
  }
}
