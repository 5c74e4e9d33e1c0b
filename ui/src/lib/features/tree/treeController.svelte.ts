import type { SkillOverview } from '$lib/api';
import { type DropTarget, mainOf, type TreeItem } from '$lib/features/actions';
import { pathOf, type Row, type ItemRow } from '$lib/features/tree';
import type { SkillDetail } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { refuseLocked } from './lockedSkills';

type Needs = Pick<Services, 'actions' | 'exporter' | 'layout' | 'overlays' | 'tabs' | 'toasts' | 'tree' | 'treeInput'>;

export const itemOf = (row: ItemRow): TreeItem => (row.kind === 'skill' ? { kind: 'skill', skill: row.skill } : { kind: row.kind, skill: row.skill, path: pathOf(row) });

/** Moves, copies, deletes and exports what is selected in the tree. */
export class TreeController {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Whether the tree has the focus, or the command palette is open. */
  get active(): boolean {
    const { layout, overlays, tree, treeInput } = this.#services;
    return layout.view === 'editor' && layout.sidebar.view === 'skills' && tree.rename.editing === null && (treeInput.focused || (overlays.current === 'commands' && tree.cursor.row !== null));
  }

  get canUndo(): boolean {
    return this.active && this.#services.actions.undoStack.undoLabel !== null;
  }

  get canRedo(): boolean {
    return this.active && this.#services.actions.undoStack.redoLabel !== null;
  }

  remove(rows: readonly ItemRow[]): void {
    const files = rows.filter((row) => row.kind !== 'skill');
    const main = files.find((row) => row.kind === 'file' && (row.entry.role === 'main' || row.entry.role === 'manifest'));
    if (main) {
      this.#services.toasts.show(`${main.label} can’t be deleted. Every skill needs it.`, {
        tone: 'warn',
        actions: [{ label: 'Delete skill', run: () => this.removeSkills([main.skill]) }],
      });
      return;
    }
    if (refuseLocked(this.#services, files.map((row) => row.skill))) return;
    this.#afterRemoval(rows);
    void this.#services.actions.structure.remove(rows.map(itemOf));
  }

  removeSkills(skills: readonly SkillOverview[]): void {
    void this.#services.actions.structure.remove(skills.map((skill) => ({ kind: 'skill', skill })));
  }

  removeFile(skill: SkillOverview, path: string): void {
    if (!refuseLocked(this.#services, [skill])) void this.#services.actions.structure.remove([{ kind: 'file', skill, path }]);
  }

  /** Moves or copies items. */
  transfer(rows: readonly ItemRow[], target: DropTarget, copy: boolean): void {
    if (target.kind === 'folder' && refuseLocked(this.#services, [target.skill])) return;
    void this.#services.actions.structure.transfer(rows.map(itemOf), target, copy);
  }

  duplicate(rows: readonly ItemRow[]): void {
    if (refuseLocked(this.#services, rows.filter((row) => row.kind !== 'skill').map((row) => row.skill))) return;
    void this.#services.actions.structure.duplicate(rows.map(itemOf));
  }

  enable(rows: readonly ItemRow[], enabled: boolean): void {
    void this.#services.actions.structure.enable(skillsOf(rows), enabled);
  }

  export(rows: readonly ItemRow[]): void {
    void this.#services.exporter.start(skillsOf(rows));
  }

  /** Selects added items and shows a single file as a preview, without moving the focus. */
  reveal(skill: SkillDetail, paths: readonly string[]): void {
    const { tree, tabs } = this.#services;
    if (paths.length === 0) tree.reveal(skill);
    else tree.select(skill, paths);
    const shown = paths.length === 0 ? mainOf(skill) : paths.length === 1 ? paths[0] : undefined;
    if (shown !== undefined) tabs.open({ scope: skill.scope, skillId: skill.id, path: shown }, { preview: true, focus: false });
  }

  /** Moves the cursor to the row after the deleted ones. */
  #afterRemoval(rows: readonly ItemRow[]): void {
    const { model, cursor, selection } = this.#services.tree;
    const ids = new Set(rows.map((row) => row.id));
    const isRemoved = (row: Row): boolean => ids.has(row.id) || rows.some((one) => one.kind !== 'file' && row.id.startsWith(one.kind === 'skill' ? `${one.id}/` : one.id));
    const last = model.rows.findLastIndex(isRemoved);
    const next = model.rows.slice(last + 1).find((row) => row.kind !== 'note') ?? model.rows.slice(0, last).findLast((row) => !isRemoved(row));
    if (next && ids.has(cursor.id ?? '')) cursor.id = next.id;
    selection.anchor(cursor.id);
  }
}

function skillsOf(rows: readonly ItemRow[]): SkillOverview[] {
  return rows.filter((row) => row.kind === 'skill').map((row) => row.skill);
}
