import { SvelteSet } from 'svelte/reactivity';
import type { Catalog, SkillKey } from '$lib/api';
import { afterKey } from '$lib/domain';
import type { Scope } from '$lib/wire';
import { byName, fileId, flatten, type Row, sectionId, skillId, type SkillRow } from './rows';

export interface TreeEvents {
  /** Shows a file; a preview is replaced by the next one. */
  open: (key: SkillKey, path: string, options: { preview: boolean; focus: boolean }) => void;
  menu: (row: Row, at: { x: number; y: number }) => void;
  create: (scope: Scope) => void;
  rename: (row: Row) => void;
  remove: (row: Row) => void;
}

const TYPING_MS = 700;

/** Both scopes as one list of rows, with a cursor that the keyboard moves. */
export class Tree {
  cursor = $state<string | null>(null);
  filter = $state('');
  filtering = $state(false);
  hasWorkspace = $state(false);
  /** Goes up when the keyboard should come to the tree. */
  focusAsked = $state(0);
  readonly #expanded = new SvelteSet<string>([sectionId('workspace'), sectionId('account')]);
  readonly #catalog: Catalog;
  readonly #events: TreeEvents;
  readonly #sorted = $derived.by(() => byName(this.#catalog.skills));
  readonly #matching = $derived.by(() => {
    const query = this.filter.trim().toLowerCase();
    if (query === '') return this.#sorted;
    return this.#sorted.filter((skill) =>
      [skill.name, skill.slug, ...skill.tags].some((text) => text.toLowerCase().includes(query)),
    );
  });
  readonly #drafts = $derived.by(() => {
    const marks = new Set<string>();
    for (const draft of this.#catalog.drafts) {
      const key = { scope: draft.scope, id: draft.skill_id };
      marks.add(skillId(key)).add(fileId(key, draft.path));
    }
    return marks;
  });
  readonly rows = $derived.by(() =>
    flatten({
      skills: this.#matching,
      hasWorkspace: this.hasWorkspace,
      filtered: this.filter.trim() !== '',
      isExpanded: (id) => this.#expanded.has(id),
      detail: (skill) => this.#catalog.detail(skill),
      failure: (skill) => this.#catalog.detailFailure(skill),
      hasDraft: (skill, path) => this.#drafts.has(path === undefined ? skillId(skill) : fileId(skill, path)),
    }),
  );
  readonly index = $derived(this.rows.findIndex((row) => row.id === this.cursor));
  readonly current = $derived<Row | null>(this.rows[this.index] ?? null);
  #typed = '';
  #typedAt = 0;

  constructor(catalog: Catalog, events: TreeEvents) {
    this.#catalog = catalog;
    this.#events = events;
  }

  /** The skill that the cursor is on or in. */
  get skill(): SkillRow['skill'] | null {
    const row = this.current;
    return row && row.kind !== 'section' ? row.skill : null;
  }

  isOpen(row: Row): boolean {
    return 'expanded' in row && row.expanded;
  }

  toggle(row: Row, open = !this.isOpen(row)): void {
    if (row.kind === 'folder') {
      if (open) this.#expanded.delete(`closed:${row.id}`);
      else this.#expanded.add(`closed:${row.id}`);
    } else if (row.kind === 'section' || row.kind === 'skill') {
      if (open) this.#expanded.add(row.id);
      else this.#expanded.delete(row.id);
      if (open && row.kind === 'skill') void this.#catalog.load(row.skill);
    }
  }

  collapseAll(): void {
    for (const id of this.#expanded) if (!id.startsWith('section:')) this.#expanded.delete(id);
    if (this.index < 0) this.cursor = null;
  }

  /** Opens the way to a file and puts the cursor on it. */
  reveal(key: SkillKey, path?: string): void {
    if (this.filter !== '' && !this.#matching.some((skill) => skillId(skill) === skillId(key))) this.filter = '';
    this.#expanded.add(sectionId(key.scope));
    this.cursor = skillId(key);
    if (path === undefined) return;
    this.#expanded.add(skillId(key));
    void this.#catalog.load(key);
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      this.#expanded.delete(`closed:${fileId(key, path.slice(0, slash + 1))}`);
    }
    this.cursor = fileId(key, path);
  }

  click(row: Row): void {
    this.cursor = row.id;
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
    this.cursor = row.id;
    this.#events.menu(row, at);
  }

  /** Handles a key on the tree; false when it isn't one of its own. */
  key(key: string, now: number): boolean {
    const row = this.current;
    const moved = afterKey(key, this.index, this.rows.length);
    if (moved !== null) return this.#moveTo(moved);
    if (!row) return false;
    switch (key) {
      case 'ArrowRight':
        if ('expanded' in row) {
          if (!row.expanded) this.toggle(row, true);
          else this.#moveTo(this.index + 1);
        }
        return true;
      case 'ArrowLeft':
        if (this.isOpen(row)) this.toggle(row, false);
        else if (row.parent) this.cursor = row.parent;
        return true;
      case 'Enter':
        this.activate(row);
        return true;
      case ' ':
        if (now - this.#typedAt < TYPING_MS && this.#typed !== '') return this.#type(' ', now);
        this.click(row);
        return true;
      case 'F2':
        this.#events.rename(row);
        return true;
      case 'Delete':
        this.#events.remove(row);
        return true;
    }
    return key.length === 1 ? this.#type(key, now) : false;
  }

  #moveTo(index: number): boolean {
    const row = this.rows[Math.max(0, index)];
    if (row) this.cursor = row.id;
    return true;
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
        this.cursor = row.id;
        break;
      }
    }
    return true;
  }
}
