import { type Catalog, type Client, Debounce, type Settings, type SkillKey } from '$lib/api';
import type { EditResult, Scope } from '$lib/api/generated';
import type { Comparison } from './comparison.svelte';
import { Document, type DocumentKey, type Goal, type Position } from './document.svelte';
import { type Grid, groupsOf, moveSeam, putBeside, type Seam, seamsOf, type Side, without } from './grid';
import { MOST_GROUPS, readTabs, withIds, withIndices, writeTabs } from './storedTabs';
import { Switcher } from './switcher.svelte';
import { type ComparisonTab, type FileTab, newTabId, type Tab, TabGroup } from './tabGroup.svelte';
import { type Stop, Trail } from './trail';

export type { ComparisonTab, FileTab, Tab } from './tabGroup.svelte';

export interface OpenOptions {
  preview?: boolean;
  focus?: boolean;
  at?: Goal;
  /** In the group beside, which is made if there is none. */
  beside?: boolean;
}

/** Where a tab is moved to: into a group at an index, or into a new group beside one. */
export type TabGoal = { group: TabGroup; index?: number } | { beside: TabGroup; side: Side };

interface ClosedTab {
  key: DocumentKey;
  group: string;
  index: number;
  cursor: Position | null;
}

/**
 * The open tabs, in up to three groups beside each other. A file can be open in several groups: there is one document of
 * it. They are remembered for each workspace and come back after a restart, drafts included.
 */
export class Tabs {
  groups = $state.raw<readonly TabGroup[]>([new TabGroup()]);
  grid = $state.raw<Grid>('');
  #groupId = $state('');
  /** The group with the keyboard. */
  readonly group = $derived(this.groups.find((group) => group.id === this.#groupId) ?? first(this.groups));
  /** What is shown in it. */
  readonly active = $derived(this.group.active);
  readonly document = $derived(this.group.document);
  /** Of all groups. */
  readonly list = $derived(this.groups.flatMap((group) => group.list));
  readonly documents = $derived([...new Set(this.groups.flatMap((group) => group.documents))]);

  readonly switcher = new Switcher(
    () => this.group,
    (id) => this.activate(id),
  );

  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #settings: Settings;
  #closed: ClosedTab[] = [];
  readonly #trail = new Trail();
  readonly #remember = new Debounce(300, () => this.#store());
  #restoring = false;

  constructor(client: Client, catalog: Catalog, settings: Settings) {
    this.#client = client;
    this.#catalog = catalog;
    this.#settings = settings;
    this.grid = this.#groupId = this.group.id;
    catalog.onDetail((key, detail) => {
      for (const document of this.documents) {
        if (document.skillId !== key.id || document.scope !== key.scope) continue;
        if (detail) void document.sync(detail);
        else if (document.status === 'ready') this.#goneFrom(document);
      }
    });
  }

  get activeId(): string | null {
    return this.group.activeId;
  }

  get canSplit(): boolean {
    return this.groups.length < MOST_GROUPS && this.active !== null;
  }

  /** Texts stand side by side. */
  get hasColumns(): boolean {
    return seamsOf(this.grid).some((seam) => seam.direction === 'row');
  }

  get canReopen(): boolean {
    return this.#closed.length > 0;
  }

  get canGoBack(): boolean {
    return this.#trail.canGoBack;
  }

  get canGoOn(): boolean {
    return this.#trail.canGoOn;
  }

  /** Opens a file, or shows its tab. A preview tab is replaced by the next preview. One that was `known` is found under a new name too. */
  open(key: DocumentKey, options: OpenOptions = {}, known = false): Document {
    const { preview = false, focus = true, at, beside = false } = options;
    const document = this.documentOf(key) ?? this.#read(key, known);
    const group = beside ? this.#groupBeside() : this.group;
    let tab = group.tabOf(document);
    if (!tab) {
      tab = { kind: 'file', id: newTabId(), document, preview };
      this.#put(group, tab);
    } else if (!preview && tab.preview) {
      group.pin(tab.id);
    }
    this.#groupId = group.id;
    this.#show(group, tab.id, focus);
    if (at) document.goTo(focus ? at : { ...at, quiet: true });
    return document;
  }

  openComparison(comparison: Comparison): void {
    const known = this.group.list.find((tab) => tab.kind === 'comparison' && tab.comparison.id === comparison.id);
    const tab: ComparisonTab = { kind: 'comparison', id: known?.id ?? newTabId(), comparison, preview: true };
    if (known) this.group.replace(tab);
    else this.#put(this.group, tab);
    this.#show(this.group, tab.id, false);
  }

  pin(id: string): void {
    this.groupOf(id)?.pin(id);
    this.#remember.touch();
  }

  activate(id: string, focus = true): void {
    const group = this.groupOf(id);
    if (!group) return;
    this.#groupId = group.id;
    this.#show(group, id, focus);
  }

  /** To the tab beside the shown one, around the ends. */
  step(by: 1 | -1): void {
    const { list, activeId } = this.group;
    if (list.length === 0) return;
    const at = list.findIndex((tab) => tab.id === activeId);
    const next = list[(at + by + list.length) % list.length];
    if (next) this.activate(next.id);
  }

  /** Closes a tab. Unsaved text stays as a draft; a document that isn't open any more is returned so that this can be said. */
  close(id: string): Document | null {
    const group = this.groupOf(id);
    const tab = group?.get(id);
    if (!group || !tab) return null;
    if (tab.kind === 'file') {
      const index = group.list.indexOf(tab);
      this.#closed = [...this.#closed, { key: tab.document.key, group: group.id, index, cursor: group.cursorOf(id) }].slice(-50);
    }
    const had = this.group === group;
    const shown = group.activeId === id;
    group.remove(id);
    this.#dropEmpty(group);
    if (had && shown && this.active) this.#show(this.group, this.active.id, true);
    this.#remember.touch();
    return tab.kind === 'file' ? this.#release(tab.document) : null;
  }

  /** Opens the tab that was closed last, where it was. */
  reopen(): void {
    const last = this.#closed.at(-1);
    if (!last) return;
    this.#closed = this.#closed.slice(0, -1);
    const group = this.groups.find((one) => one.id === last.group);
    if (group) this.#groupId = group.id;
    const document = this.open(last.key, last.cursor ? { at: last.cursor } : {}, true);
    const tab = this.group.tabOf(document);
    if (group && tab) group.reorder(tab.id, last.index);
  }

  groupOf(id: string): TabGroup | undefined {
    return this.groups.find((group) => group.get(id));
  }

  focusGroup(index: number, focus = true): void {
    const group = this.groups[index];
    if (!group) return;
    this.#groupId = group.id;
    if (group.activeId !== null) this.#show(group, group.activeId, focus);
  }

  /** Shows the tab in a second group too. */
  split(side: Side, id = this.activeId): void {
    const group = id === null ? undefined : this.groupOf(id);
    if (group && id !== null && this.canSplit) this.move(id, { beside: group, side }, true);
  }

  /** Whether a tab may have a new group beside another one. */
  maySplit(tab: Tab, beside: TabGroup, copy: boolean): boolean {
    const from = this.groupOf(tab.id);
    const leaves = !copy && from?.list.length === 1;
    // A group's only tab beside itself would be the same again.
    return leaves ? from !== beside : this.groups.length < MOST_GROUPS;
  }

  /** Moves a tab, or with `copy` opens what it shows there too. */
  move(id: string, goal: TabGoal, copy = false): void {
    const from = this.groupOf(id);
    const tab = from?.get(id);
    if (!from || !tab) return;
    if ('group' in goal && goal.group === from) {
      if (goal.index !== undefined) from.reorder(id, goal.index);
      this.activate(id);
      return;
    }
    if ('beside' in goal && !this.maySplit(tab, goal.beside, copy)) return;
    const to = 'group' in goal ? goal.group : this.#addBeside(goal.beside, goal.side);
    const cursor = from.cursorOf(id);
    const there = tab.kind === 'file' ? to.tabOf(tab.document) : undefined;
    const moved: Tab = there ?? { ...tab, id: newTabId(), preview: false };
    if (!there) to.insert(moved, 'group' in goal ? goal.index : undefined);
    if (cursor) to.setCursor(moved.id, cursor);
    if (!copy) {
      from.remove(id);
      this.#dropEmpty(from);
    }
    this.#groupId = to.id;
    this.#show(to, moved.id, true);
  }

  /** Moves the shown tab by one place in its group. */
  shift(by: 1 | -1): void {
    const { group, activeId } = this;
    if (activeId === null) return;
    const at = group.list.findIndex((tab) => tab.id === activeId);
    group.reorder(activeId, Math.max(0, Math.min(group.list.length - 1, at + by)));
    this.#remember.touch();
  }

  /** Moves the shown tab to the group before or after this one; past the end there is a new one. */
  moveToGroup(by: 1 | -1): void {
    const { group, activeId } = this;
    if (activeId === null) return;
    const next = this.groups[this.groups.indexOf(group) + by];
    this.move(activeId, next ? { group: next } : { beside: group, side: by > 0 ? 'right' : 'left' });
  }

  /** Brings all tabs into one group. */
  join(): void {
    const { group, active } = this;
    for (const other of this.groups) {
      if (other === group) continue;
      for (const tab of other.list) {
        const twin = tab.kind === 'file' && group.tabOf(tab.document) !== undefined;
        if (!twin) group.insert({ ...tab, preview: false }, group.list.length);
      }
    }
    [this.groups, this.grid] = [[group], group.id];
    if (active) this.#show(group, active.id, true);
  }

  resize(seam: Seam, share: number): void {
    this.grid = moveSeam(this.grid, seam, share);
    this.#remember.touch();
  }

  /** The cursor of what a group shows went somewhere. */
  cursorAt(group: TabGroup, document: Document, position: Position): void {
    const tab = group.tabOf(document);
    if (!tab) return;
    if (group.setCursor(tab.id, position)) this.#remember.touch();
    // On the way to a goal the cursor isn't anywhere yet.
    if (group === this.group && group.document === document && !document.goal) this.#trail.visit(document.key, position);
  }

  goBack(): void {
    this.#goTo(this.#trail.go(-1, (key) => this.#exists(key)));
  }

  goOn(): void {
    this.#goTo(this.#trail.go(1, (key) => this.#exists(key)));
  }

  /** A file was moved by this window: its tab follows. */
  moved(skill: { scope: Scope; id: string }, from: string, to: string): void {
    const key = { scope: skill.scope, skillId: skill.id, path: from };
    this.documentOf(key)?.moveTo(to).catch(() => undefined);
    this.#trail.moved(key, { ...key, path: to });
    this.#rememberNow();
  }

  /** Closes what belongs to a deleted file or skill. */
  closeOf(skill: { scope: Scope; id: string }, path?: string): void {
    for (const tab of this.list) {
      if (tab.kind !== 'file') continue;
      const { document } = tab;
      if (document.skillId === skill.id && document.scope === skill.scope && (path ?? document.path) === document.path) {
        this.close(tab.id);
      }
    }
    this.#rememberNow();
  }

  documentOf(key: DocumentKey): Document | null {
    return this.documents.find((document) => document.is(key)) ?? null;
  }

  /** The open files of a skill with changes that aren't saved. */
  unsaved({ scope, id }: SkillKey): Document[] {
    return this.documents.filter((one) => one.dirty && one.skillId === id && one.scope === scope);
  }

  /** Closes all and opens those of the given workspace again. */
  async restore(): Promise<void> {
    this.#restoring = true;
    const before = this.documents;
    const stored = readTabs(this.#settings, this.#place);
    const groups = stored.groups.map(() => new TabGroup());
    this.#closed = [];
    this.#trail.clear();
    this.groups = groups;
    this.grid = withIds(stored.grid, groups.map((group) => group.id));
    await Promise.all(before.map((document) => document.close()));
    for (const [index, group] of groups.entries()) {
      const { tabs, active } = stored.groups[index] ?? { tabs: [], active: -1 };
      const shown = tabs.map(({ scope, skill, path, preview = false, cursor }) => {
        const key = { scope, skillId: skill, path };
        if (!this.#catalog.summary({ scope, id: skill })) return null;
        const document = this.documentOf(key) ?? this.#read(key, true);
        if (group.tabOf(document)) return null;
        const tab: FileTab = { kind: 'file', id: newTabId(), document, preview };
        group.list = [...group.list, tab];
        if (cursor) group.setCursor(tab.id, cursor);
        return tab;
      });
      const front = shown[active] ?? group.list.at(-1);
      if (front) group.show(front.id);
    }
    this.#groupId = groups[stored.active]?.id ?? '';
    for (const group of groups) if (group.list.length === 0) this.#dropEmpty(group);
    this.#restoring = false;
  }

  /** Sends every unsaved text and the list of tabs: the window is about to close, or to open another folder. */
  async keepAll(): Promise<void> {
    this.#remember.flush();
    await Promise.all(this.documents.map((document) => document.keep()));
  }

  #read(key: DocumentKey, known = false): Document {
    const document = new Document(this.#client, key, (result) => this.#stored(result), () => this.#catalog.refreshDrafts());
    void document.load(known).then(() => {
      if (document.path !== key.path) this.#renamed(document);
    });
    void this.#catalog.load({ scope: key.scope, id: key.skillId });
    return document;
  }

  #put(group: TabGroup, tab: Tab): void {
    const replaced = group.insert(tab);
    if (replaced?.kind === 'file') this.#release(replaced.document);
  }

  #show(group: TabGroup, id: string, focus: boolean): void {
    group.show(id);
    if (focus) group.focusRequest.send();
    if (group === this.group && group.document) this.#trail.visit(group.document.key, null);
    this.#remember.touch();
  }

  /** Closes a document that no tab has any more. */
  #release(document: Document): Document | null {
    if (this.documents.includes(document)) return null;
    void document.close().then(() => this.#catalog.refreshDrafts());
    return document;
  }

  #groupBeside(): TabGroup {
    const { group, groups } = this;
    return groups[groups.indexOf(group) + 1] ?? (this.canSplit ? this.#addBeside(group, 'right') : (groups.find((one) => one !== group) ?? group));
  }

  #addBeside(at: TabGroup, side: Side): TabGroup {
    const group = new TabGroup();
    const known = [...this.groups, group];
    this.grid = putBeside(this.grid, at.id, side, group.id);
    this.groups = inOrder(known, this.grid);
    return group;
  }

  /** Only the last group may be without tabs. */
  #dropEmpty(group: TabGroup): void {
    if (group.list.length > 0 || this.groups.length === 1) return;
    const at = this.groups.indexOf(group);
    const next = this.groups[at - 1] ?? this.groups[at + 1];
    const grid = without(this.grid, group.id);
    if (!next || grid === null) return;
    if (this.group === group) this.#groupId = next.id;
    this.grid = grid;
    this.groups = inOrder(this.groups, grid);
  }

  #exists({ scope, skillId, path }: DocumentKey): boolean {
    const key = { scope, id: skillId };
    const detail = this.#catalog.detail(key);
    if (detail) return detail.entries.some((entry) => entry.path === path);
    return this.#catalog.summary(key) !== undefined;
  }

  #goTo(stop: Stop | null): void {
    if (stop) this.open(stop.key, { ...(stop.position ? { at: stop.position } : {}) });
  }

  #stored({ skill }: EditResult): void {
    this.#catalog.put(skill);
  }

  #goneFrom(document: Document): void {
    document.gone();
    if (document.dirty) return;
    for (const tab of this.list) if (tab.kind === 'file' && tab.document === document) this.close(tab.id);
  }

  /** A document took its file's new name. If that is open already, one is enough. */
  #renamed(document: Document): void {
    const twin = this.documents.some((one) => one !== document && one.is(document.key));
    for (const tab of twin ? this.list : []) if (tab.kind === 'file' && tab.document === document) this.close(tab.id);
    this.#remember.touch();
  }

  get #place(): string {
    return this.#client.place;
  }

  /** What was done to files isn't undone by a crash: the tabs shouldn't be either. */
  #rememberNow(): void {
    this.#remember.touch();
    this.#remember.flush();
  }

  #store(): void {
    if (this.#restoring) return;
    const { groups } = this;
    writeTabs(this.#settings, {
      place: this.#place,
      groups: groups.map((group) => {
        const files = group.list.filter((tab): tab is FileTab => tab.kind === 'file');
        return {
          tabs: files.map(({ id, document, preview }) => {
            const cursor = group.cursorOf(id);
            return { scope: document.scope, skill: document.skillId, path: document.path, ...(preview ? { preview } : {}), ...(cursor ? { cursor } : {}) };
          }),
          active: files.findIndex((tab) => tab.id === group.activeId),
        };
      }),
      grid: withIndices(this.grid, (id) => groups.findIndex((group) => group.id === id)),
      active: groups.indexOf(this.group),
    });
  }
}

function first(groups: readonly TabGroup[]): TabGroup {
  const [group] = groups;
  if (!group) throw new Error('there is always a group');
  return group;
}

/** The groups of a grid, in reading order. */
const inOrder = (groups: readonly TabGroup[], grid: Grid): TabGroup[] => groupsOf(grid).flatMap((id) => groups.find((group) => group.id === id) ?? []);
