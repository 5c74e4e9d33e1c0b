import type { Brief, Catalog, SkillKey } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { afterKey } from '$lib/domain';
import type { Scope } from '$lib/api/generated';
import { Drag, type Goal, goalOf } from './drag.svelte';
import { canOpen, fileId, flatten, folderId, isThing, type Row, type Section, sectionId, sectionsOf, skillId, type ThingRow } from './rows';
import { Selection } from './selection.svelte';

export interface TreeEvents {
  /** Shows a file; a preview is replaced by the next one. */
  open: (key: SkillKey, path: string, options: { preview: boolean; focus: boolean }) => void;
  menu: (row: Row, at: { x: number; y: number }) => void;
  create: (scope: Scope) => void;
  /** Whether a row can get another name; if not, this says why. */
  mayRename: (row: Row) => boolean;
  /** Gives it one. What is wrong with it, or null. */
  rename: (row: ThingRow, name: string) => Promise<string | null>;
  remove: (rows: ThingRow[]) => void;
  /** Brings things to another place. */
  bring: (rows: ThingRow[], goal: Goal, copy: boolean) => void;
}

/** Marks that others know of. */
export interface TreeMarks {
  /** Errors and warnings of a file, or of a skill with all its files. */
  problems: (key: SkillKey, path?: string) => { errors: number; warnings: number };
  /** Whether there is text in an open editor that isn't saved. */
  isDirty: (key: SkillKey, path?: string) => boolean;
}

/** A row whose name is being typed. */
export interface Editing {
  row: ThingRow;
  /** What is typed so far. It outlives the field, which may come up elsewhere when the list changes. */
  text: string;
  problem: string | null;
  busy: boolean;
}

export interface Modifiers {
  shift?: boolean;
  ctrl?: boolean;
}

const TYPING_MS = 700;

/** Both scopes as one list of rows, with a cursor that the keyboard moves. */
export class Tree {
  cursor = $state<string | null>(null);
  filter = $state('');
  filtering = $state(false);
  hasWorkspace = $state(false);
  /** Brings the keyboard to the list. */
  readonly focusRequest = new ViewRequest();
  /** The keyboard is here. */
  focused = $state(false);
  editing = $state.raw<Editing | null>(null);
  /** What paste brings, and whether it leaves where it was. */
  clipboard = $state.raw<{ rows: ThingRow[]; cut: boolean } | null>(null);
  readonly selection = new Selection();
  readonly drag: Drag;
  readonly marks: TreeMarks;
  readonly #expanded = new Set<string>([sectionId('workspace'), sectionId('account')]);
  // Folders of a skill are open unless closed: there are few, and what matters is inside.
  readonly #closed = new Set<string>();
  #opened = $state(0);
  readonly #catalog: Catalog;
  readonly #events: TreeEvents;
  readonly #matching = $derived.by(() => {
    const query = this.filter.trim().toLowerCase();
    if (query === '') return this.#catalog.skills;
    return this.#catalog.skills.filter((skill) => [skill.name, skill.slug, ...skill.tags].some((text) => text.toLowerCase().includes(query)));
  });
  #before: Section[] = [];
  readonly #sections = $derived.by(() => (this.#before = sectionsOf(this.#matching, this.hasWorkspace, this.#before)));
  readonly #drafts = $derived.by(() => {
    const marks = new Set<string>();
    for (const draft of this.#catalog.drafts) {
      const key = { scope: draft.scope, id: draft.skill_id };
      marks.add(skillId(key)).add(fileId(key, draft.path));
    }
    return marks;
  });
  readonly rows = $derived.by(() => {
    void this.#opened;
    return flatten(this.#sections, {
      filtered: this.filter.trim() !== '',
      isOpen: (id) => this.#isOpen(id),
      detail: (skill) => this.#catalog.detail(skill),
      failure: (skill) => this.#catalog.detailFailure(skill),
    });
  });
  /** Open skills of which nothing is known yet: newly opened, of another folder, or back from the deleted ones. */
  readonly #unread = $derived(this.rows.flatMap((row) => (row.kind === 'note' && row.skill && !row.failed ? [row.skill] : [])));
  readonly index = $derived(this.rows.findIndex((row) => row.id === this.cursor));
  readonly current = $derived<Row | null>(this.rows[this.index] ?? null);
  readonly #cut = $derived(new Set(this.clipboard?.cut ? this.clipboard.rows.map((row) => row.id) : []));
  #typed = '';
  #typedAt = 0;

  constructor(catalog: Catalog, events: TreeEvents, marks: TreeMarks) {
    this.#catalog = catalog;
    this.#events = events;
    this.marks = marks;
    this.drag = new Drag({
      rows: (row) => {
        // Dragging a row that isn't chosen means that row.
        if (!this.selection.has(row.id)) this.selection.anchor(row.id);
        return this.selection.of(row, this.rows);
      },
      isOpen: (row) => !canOpen(row) || this.isOpen(row),
      open: (row) => this.toggle(row, true),
      drop: (things, goal, copy) => this.#events.bring(things, goal, copy),
    });
  }

  /** The row under a point of the window; the list on screen says which. */
  rowAt: (x: number, y: number) => Row | null = () => null;

  /** The skill that the cursor is on or in. */
  get skill(): Brief | null {
    const row = this.current;
    return row && row.kind !== 'section' ? row.skill : null;
  }

  /** What something is done to now: all that is chosen, or what the cursor is on. */
  get chosen(): ThingRow[] {
    const first = this.selection.size > 0 ? this.rows.find((row) => this.selection.has(row.id)) : undefined;
    return this.selection.of(first ?? this.current, this.rows);
  }

  /** Reads the open skills whose files aren't known. Whoever shows the rows calls it whenever they change. */
  readOpen(): void {
    for (const skill of this.#unread) void this.#catalog.load(skill);
  }

  isOpen(row: Row): boolean {
    void this.#opened;
    if (row.kind === 'section' && this.filter.trim() !== '') return true;
    return canOpen(row) && this.#isOpen(row.id);
  }

  hasDraft(row: Row): boolean {
    return (row.kind === 'skill' || row.kind === 'file') && this.#drafts.has(row.id);
  }

  isCut(row: Row): boolean {
    return this.#cut.has(row.id);
  }

  toggle(row: Row, open = !this.isOpen(row)): void {
    if (!canOpen(row)) return;
    this.#setOpen(row.id, open);
    if (open && row.kind === 'skill') void this.#catalog.load(row.skill);
  }

  collapseAll(): void {
    for (const id of this.#expanded) if (!id.startsWith('section:')) this.#expanded.delete(id);
    this.#opened += 1;
    if (this.index < 0) this.cursor = null;
  }

  /** Another workspace is open: what was chosen and taken isn't there any more. */
  reset(): void {
    this.clipboard = this.editing = null;
    this.drag.cancel();
    this.selection.anchor(null);
  }

  /** Opens the way to a file and puts the cursor on it. */
  reveal(key: SkillKey, path?: string): void {
    if (this.filter !== '' && !this.#matching.some((skill) => skillId(skill) === skillId(key))) this.filter = '';
    this.#setOpen(sectionId(key.scope), true);
    this.cursor = skillId(key);
    if (path === undefined) return;
    this.#setOpen(skillId(key), true);
    void this.#catalog.load(key);
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      this.#setOpen(folderId(key, path.slice(0, slash)), true);
    }
    this.cursor = fileId(key, path);
  }

  /** Opens the way to several, and chooses them. */
  choose(key: SkillKey, paths: readonly string[]): void {
    const [first] = paths;
    if (first === undefined) return;
    this.reveal(key, first);
    this.selection.anchor(this.cursor);
    if (paths.length > 1) this.selection.ids = new Set(paths.map((path) => fileId(key, path)));
  }

  click(row: Row, { shift = false, ctrl = false }: Modifiers = {}): void {
    if (isThing(row) && (shift || ctrl)) {
      if (shift) this.selection.extend(this.rows, this.rows.indexOf(row), this.cursor);
      else this.selection.toggle(row.id, this.current && isThing(this.current) ? this.cursor : null);
      this.cursor = row.id;
      return;
    }
    this.cursor = row.id;
    this.selection.anchor(row.id);
    if (row.kind === 'file') this.#events.open(row.skill, row.entry.path, { preview: true, focus: false });
    else if (row.kind === 'note' && row.create) this.#events.create(row.create);
    else if (row.kind === 'note' && row.skill) void this.#catalog.load(row.skill, true);
    else this.toggle(row);
  }

  /** Opens for good, and the keyboard goes along. */
  activate(row: Row): void {
    this.cursor = row.id;
    if (row.kind === 'file') this.#events.open(row.skill, row.entry.path, { preview: false, focus: true });
    else if (row.kind === 'note') this.click(row);
    else this.toggle(row);
  }

  menu(row: Row, at: { x: number; y: number }): void {
    if (!this.selection.has(row.id)) this.selection.anchor(row.id);
    this.cursor = row.id;
    this.#events.menu(row, at);
  }

  /** Handles a key on the tree; false when it isn't one of its own. */
  key(key: string, now: number, { shift = false, ctrl = false }: Modifiers = {}): boolean {
    const row = this.current;
    const moved = afterKey(key, this.index, this.rows.length);
    if (moved !== null && !ctrl) return this.#moveTo(moved, shift);
    if (key === 'Escape') return this.#escape();
    if (!row) return false;
    if (ctrl) return this.#withCtrl(key, row);
    switch (key) {
      case 'ArrowRight':
        if (canOpen(row)) {
          if (!this.isOpen(row)) this.toggle(row, true);
          else this.#moveTo(this.index + 1, false);
        }
        return true;
      case 'ArrowLeft':
        if (this.isOpen(row)) this.toggle(row, false);
        else if (row.parent) this.#land(row.parent);
        return true;
      case 'Enter':
        this.activate(row);
        return true;
      case ' ':
        if (now - this.#typedAt < TYPING_MS && this.#typed !== '') return this.#type(' ', now);
        this.click(row);
        return true;
      case 'F2':
        this.startRename(row);
        return true;
      case 'Delete':
        if (this.chosen.length > 0) this.#events.remove(this.chosen);
        return true;
    }
    return key.length === 1 ? this.#type(key, now) : false;
  }

  startRename(row = this.current): void {
    if (!row || !isThing(row) || !this.#events.mayRename(row)) return;
    this.selection.anchor(row.id);
    this.cursor = row.id;
    this.editing = { row, text: row.label, problem: null, busy: false };
  }

  /** Takes the typed name. What is wrong with it stays on screen until it is right or given up. */
  async endRename(name: string): Promise<void> {
    const { editing } = this;
    if (!editing || editing.busy) return;
    if (name.trim() === '' || name === editing.row.label) {
      this.cancelRename();
      return;
    }
    this.editing = { ...editing, text: name, busy: true };
    const problem = await this.#events.rename(editing.row, name.trim());
    if (!this.isEditing(editing.row)) return;
    if (problem === null) this.cancelRename();
    else this.editing = { ...editing, text: name, problem, busy: false };
  }

  isEditing(row: Row): boolean {
    return this.editing?.row.id === row.id;
  }

  cancelRename(): void {
    this.editing = null;
    this.focusRequest.send();
  }

  take(cut: boolean): void {
    const rows = this.chosen;
    if (rows.length > 0) this.clipboard = { rows, cut };
  }

  /** Brings what was cut or copied to where the cursor is. */
  paste(): void {
    const { clipboard, current } = this;
    if (!clipboard || !current) return;
    const goal = goalOf(current, clipboard.rows.some((row) => row.kind === 'skill'));
    if (!goal) return;
    if (clipboard.cut) this.clipboard = null;
    this.#events.bring(clipboard.rows, goal, !clipboard.cut);
  }

  /** Everything in the skill that the cursor is in; on a skill, all skills of its scope. */
  selectAll(): void {
    const { current } = this;
    if (!current || !isThing(current)) return;
    const { scope, id } = current.skill;
    this.selection.set(
      this.rows.filter((row) =>
        current.kind === 'skill' ? row.kind === 'skill' && row.skill.scope === scope : (row.kind === 'file' || row.kind === 'folder') && row.skill.id === id && row.skill.scope === scope,
      ),
    );
  }

  #withCtrl(key: string, row: Row): boolean {
    if (key === 'a') this.selectAll();
    else if (key === ' ' && isThing(row)) this.selection.toggle(row.id, null);
    else return false;
    return true;
  }

  #escape(): boolean {
    if (this.drag.cancel() || this.selection.clear()) return true;
    const had = this.clipboard?.cut === true;
    if (had) this.clipboard = null;
    return had;
  }

  #isOpen(id: string): boolean {
    return id.endsWith('/') ? !this.#closed.has(id) : this.#expanded.has(id);
  }

  #setOpen(id: string, open: boolean): void {
    const [set, there] = id.endsWith('/') ? ([this.#closed, !open] as const) : ([this.#expanded, open] as const);
    if (set.has(id) === there) return;
    if (there) set.add(id);
    else set.delete(id);
    this.#opened += 1;
  }

  #moveTo(index: number, extend: boolean): boolean {
    const row = this.rows[Math.max(0, index)];
    if (!row) return true;
    if (extend) {
      this.selection.extend(this.rows, Math.max(0, index), this.cursor);
      this.cursor = row.id;
    } else this.#land(row.id);
    return true;
  }

  #land(id: string): void {
    this.cursor = id;
    this.selection.anchor(id);
  }

  /** Letters go to the next row that starts with them. */
  #type(letter: string, now: number): boolean {
    const before = now - this.#typedAt > TYPING_MS ? '' : this.#typed;
    // The same letter again goes on to the next one.
    const again = before === letter;
    this.#typed = again ? letter : before + letter;
    this.#typedAt = now;
    const wanted = this.#typed.toLowerCase();
    const start = before === '' || again ? this.index + 1 : Math.max(this.index, 0);
    for (let step = 0; step < this.rows.length; step += 1) {
      const row = this.rows[(start + step) % this.rows.length];
      if (row?.kind !== 'note' && row?.label.toLowerCase().startsWith(wanted)) {
        this.#land(row.id);
        break;
      }
    }
    return true;
  }
}

