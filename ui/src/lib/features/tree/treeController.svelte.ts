import { tick } from 'svelte';
import { type Brief, sentence } from '$lib/api';
import { extensionOf, folderOf, plural } from '$lib/domain';
import { type Goal, mainOf, type Thing } from '$lib/features/actions';
import { pathOf, type Row, type ThingRow } from '$lib/features/tree';
import type { Dropping } from '$lib/platform';
import type { PathStatus, SkillDetail } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'actions' | 'client' | 'context' | 'exporter' | 'importer' | 'layout' | 'navigation' | 'notifications' | 'overlays' | 'platform'
  | 'tabs' | 'toasts' | 'tree' | 'windows'
>;

/** Endings of files that skills come in. */
const PACKAGES = ['skill', 'zip', 'json', 'md'];

export const thingOf = (row: ThingRow): Thing => (row.kind === 'skill' ? { kind: 'skill', skill: row.skill } : { kind: row.kind, skill: row.skill, path: pathOf(row) });

/** What is done to rows of the tree, and what comes into it from elsewhere. */
export class TreeController {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** The keyboard is in the tree, or the palette that was called from there is open. */
  get active(): boolean {
    const { tree, layout, overlays } = this.#services;
    return layout.view === 'editor' && layout.side === 'skills' && tree.editing === null && (tree.focused || (overlays.current === 'commands' && tree.current !== null));
  }

  get chosen(): ThingRow[] {
    return this.#services.tree.chosen;
  }

  /** Undo is for the tree while no text has the keyboard. */
  get canUndo(): boolean {
    return this.active && this.#services.actions.journal.undoLabel !== null;
  }

  get canRedo(): boolean {
    return this.active && this.#services.actions.journal.redoLabel !== null;
  }

  mayRename(row: Row): boolean {
    if (row.kind === 'section' || row.kind === 'note') return false;
    if (this.refuseLocked([row.skill])) return false;
    if (row.kind !== 'file' || (row.entry.role !== 'main' && row.entry.role !== 'manifest')) return true;
    this.#services.toasts.show(`${row.label} can’t be renamed. Every skill needs it.`, {
      actions: [{ label: 'Rename skill', run: () => this.renameSkill(row.skill) }],
    });
    return false;
  }

  renameSkill(skill: Brief): void {
    this.#services.tree.reveal(skill);
    void this.startRename();
  }

  /** Starts typing another name for the file in front. */
  renameFile(skill: Brief, path: string): void {
    this.#services.tree.reveal(skill, path);
    void this.startRename();
  }

  /** Starts typing another name for what the cursor is on, once whatever was in front has given the keyboard back. */
  async startRename(): Promise<void> {
    this.#services.navigation.focusTree();
    await tick();
    this.#services.tree.startRename();
  }

  async rename(row: ThingRow, name: string): Promise<string | null> {
    const { structure } = this.#services.actions;
    const failure =
      row.kind === 'skill'
        ? await structure.retitle(row.skill, name)
        : await structure.rename(row.skill, pathOf(row), this.#sibling(row, name), row.kind === 'folder');
    if (failure) return `${said(failure.message)} ${failure.hint ? said(failure.hint) : ''}`.trim();
    if (row.kind !== 'skill') this.#services.tree.cursor = row.id.slice(0, -(pathOf(row).length + (row.kind === 'folder' ? 1 : 0))) + this.#sibling(row, name) + (row.kind === 'folder' ? '/' : '');
    return null;
  }

  remove(rows: readonly ThingRow[]): void {
    const files = rows.filter((row) => row.kind !== 'skill');
    const main = files.find((row) => row.kind === 'file' && (row.entry.role === 'main' || row.entry.role === 'manifest'));
    if (main) {
      this.#services.toasts.show(`${main.label} can’t be deleted. Every skill needs it.`, {
        tone: 'warn',
        actions: [{ label: 'Delete skill', run: () => this.removeSkills([main.skill]) }],
      });
      return;
    }
    if (this.refuseLocked(files.map((row) => row.skill))) return;
    this.#afterRemoval(rows);
    void this.#services.actions.structure.remove(rows.map(thingOf));
  }

  removeSkills(skills: readonly Brief[]): void {
    void this.#services.actions.structure.remove(skills.map((skill) => ({ kind: 'skill', skill })));
  }

  removeFile(skill: Brief, path: string): void {
    if (!this.refuseLocked([skill])) void this.#services.actions.structure.remove([{ kind: 'file', skill, path }]);
  }

  bring(rows: readonly ThingRow[], goal: Goal, copy: boolean): void {
    if (goal.kind === 'folder' && this.refuseLocked([goal.skill])) return;
    void this.#services.actions.structure.bring(rows.map(thingOf), goal, copy);
  }

  duplicate(rows: readonly ThingRow[]): void {
    if (this.refuseLocked(rows.filter((row) => row.kind !== 'skill').map((row) => row.skill))) return;
    void this.#services.actions.structure.duplicate(rows.map(thingOf));
  }

  enable(rows: readonly ThingRow[], enabled: boolean): void {
    void this.#services.actions.structure.enable(skillsOf(rows), enabled);
  }

  export(rows: readonly ThingRow[]): void {
    void this.#services.exporter.start(skillsOf(rows));
  }

  /** Puts the cursor on what came, and shows a single file beside it; the keyboard stays where it is. */
  arrived(skill: SkillDetail, paths: readonly string[]): void {
    const { tree, tabs } = this.#services;
    if (paths.length === 0) tree.reveal(skill);
    else tree.choose(skill, paths);
    const shown = paths.length === 0 ? mainOf(skill) : paths.length === 1 ? paths[0] : undefined;
    if (shown !== undefined) tabs.open({ scope: skill.scope, skillId: skill.id, path: shown }, { preview: true, focus: false });
  }

  /** Takes what is dragged in from the desktop, until the returned function is called; while something is in front, it doesn't. */
  async watchDesktop(isCovered: () => boolean): Promise<() => void> {
    const nothing = (): void => undefined;
    try {
      return (await this.#services.platform.onDrop?.((event) => this.#fromDesktop(isCovered() ? { kind: 'leave' } : event))) ?? nothing;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t set up drag and drop', cause);
      return nothing;
    }
  }

  #fromDesktop(event: Dropping): void {
    const { drag, rowAt } = this.#services.tree;
    if (event.kind === 'leave') {
      drag.cancel();
      return;
    }
    const zoom = this.#services.windows.zoom.level;
    const [x, y] = [event.x / zoom, event.y / zoom];
    drag.hoverOutside(x, y, rowAt(x, y));
    if (event.kind === 'over') return;
    const { over } = drag;
    const goal: Goal | null = over?.kind === 'section' ? { kind: 'scope', scope: over.scope } : drag.goal;
    drag.cancel();
    void this.dropped(event.paths, goal);
  }

  /** Files and folders of the desktop were dropped, on a row or elsewhere. */
  async dropped(paths: readonly string[], goal: Goal | null): Promise<void> {
    const { client, actions, importer, toasts, context, notifications } = this.#services;
    try {
      const { items } = await client.call('path/look', { paths: [...paths] });
      // A package is a skill, but a file among those of a skill.
      const isSkill = ({ kind, path }: PathStatus): boolean => kind === 'skill' || kind === 'skills' || (kind === 'file' && goal?.kind !== 'folder' && PACKAGES.includes(extensionOf(path)));
      const skills = items.filter(isSkill).map((item) => item.path);
      const rest = items.filter((item) => (item.kind === 'file' || item.kind === 'folder') && !isSkill(item)).map((item) => item.path);
      const missing = items.find((item) => item.kind === 'missing');
      if (missing) notifications.report(`Couldn’t add ${missing.path}`, { code: 'notFound', message: 'it can’t be read' });
      if (rest.length > 0 && goal?.kind === 'folder') {
        if (!this.refuseLocked([goal.skill])) await actions.structure.add(rest, goal.skill, goal.folder);
      } else if (rest.length > 0) {
        toasts.show(rest.length === 1 ? 'This isn’t a skill' : `${plural(rest.length, 'item')} aren’t skills`, {
          tone: 'warn',
          hint: 'Drop files on a skill or folder in the tree. Skill folders and packages can be dropped anywhere.',
        });
      }
      if (skills.length > 0) void importer.preview(skills, goal?.kind === 'folder' ? goal.skill.scope : goal?.scope ?? context.defaultScope);
    } catch (cause) {
      notifications.report('Couldn’t add the dropped files', cause);
    }
  }

  /** True when one of them can't be changed, which is then said. */
  refuseLocked(skills: readonly Brief[]): boolean {
    const locked = skills.find((skill) => skill.locked);
    if (!locked) return false;
    this.#services.toasts.show(`${locked.name} is locked`, {
      hint: 'Duplicate it to make changes.',
      actions: [{ label: 'Duplicate to edit', run: () => this.#services.actions.duplicate(locked) }],
    });
    return true;
  }

  /** A name typed for a row; with a slash it leads into a folder. */
  #sibling(row: ThingRow & { kind: 'file' | 'folder' }, name: string): string {
    const folder = folderOf(pathOf(row));
    return folder === '' || name.startsWith('/') ? name.replace(/^\/+/, '') : `${folder}/${name}`;
  }

  /** The cursor goes to the row after those that go, as the keyboard would. */
  #afterRemoval(rows: readonly ThingRow[]): void {
    const { tree } = this.#services;
    const ids = new Set(rows.map((row) => row.id));
    const gone = (row: Row): boolean => ids.has(row.id) || rows.some((one) => one.kind !== 'file' && row.id.startsWith(one.kind === 'skill' ? `${one.id}/` : one.id));
    const last = tree.rows.findLastIndex(gone);
    const next = tree.rows.slice(last + 1).find((row) => row.kind !== 'note') ?? tree.rows.slice(0, last).findLast((row) => !gone(row));
    if (next && ids.has(tree.cursor ?? '')) tree.cursor = next.id;
    tree.selection.anchor(tree.cursor);
  }
}

/** A sentence; a path that it begins with keeps its case. */
function said(message: string): string {
  return /^\S*[./]/.test(message) ? `${message}.` : sentence(message);
}

function skillsOf(rows: readonly ThingRow[]): Brief[] {
  return rows.filter((row) => row.kind === 'skill').map((row) => row.skill);
}
