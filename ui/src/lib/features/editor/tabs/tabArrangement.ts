import type { Side } from './grid';
import type { EditorGroups } from './editorGroups.svelte';
import type { TabGroup } from './tabGroup.svelte';
import { newTabId, type Tab } from './tabList.svelte';

/** A group, with an index in it, or a new group beside one. */
export type TabTarget = { group: TabGroup; index?: number } | { beside: TabGroup; side: Side };

/** Moves tabs within and between groups. */
export class TabArrangement {
  readonly #groups: EditorGroups;
  readonly #onChange: () => void;

  constructor(groups: EditorGroups, onChange: () => void) {
    this.#groups = groups;
    this.#onChange = onChange;
  }

  get canSplit(): boolean {
    return this.#groups.hasRoom && this.#groups.active.active !== null;
  }

  /** Turns a preview into a permanent tab. */
  pin(id: string): void {
    this.#groups.of(id)?.tabs.pin(id);
    this.#onChange();
  }

  /** Shows a tab in a new group too. */
  split(side: Side, id = this.#groups.active.activeId): void {
    const group = id === null ? undefined : this.#groups.of(id);
    if (group && id !== null && this.canSplit) this.move(id, { beside: group, side }, true);
  }

  /** Whether a tab may have a new group beside another one. */
  maySplit(tab: Tab, beside: TabGroup, copy: boolean): boolean {
    const from = this.#groups.of(tab.id);
    const leaves = !copy && from?.tabs.list.length === 1;
    // The only tab of a group can’t move beside its own group.
    return leaves ? from !== beside : this.#groups.hasRoom;
  }

  /** Moves a tab, or with `copy` opens it in the other group too. */
  move(id: string, target: TabTarget, copy = false): void {
    const groups = this.#groups;
    const from = groups.of(id);
    const tab = from?.tabs.get(id);
    if (!from || !tab) return;
    if ('group' in target && target.group === from) {
      if (target.index !== undefined) from.tabs.reorder(id, target.index);
      groups.show(from, id);
      return;
    }
    if ('beside' in target && !this.maySplit(tab, target.beside, copy)) return;
    const to = 'group' in target ? target.group : groups.addBeside(target.beside, target.side);
    const cursor = from.cursors.get(id);
    const existing = tab.kind === 'file' ? to.tabs.of(tab.document) : tab.kind === 'view' ? to.tabs.ofView(tab.view, tab.target) : undefined;
    const moved: Tab = existing ?? { ...tab, id: newTabId(), preview: false };
    if (!existing) to.insert(moved, 'group' in target ? target.index : undefined);
    if (cursor) to.cursors.set(moved.id, cursor);
    if (!copy) {
      from.remove(id);
      groups.dropEmpty(from);
    }
    groups.show(to, moved.id);
  }

  /** Moves the active tab by one place in its group. */
  shift(by: 1 | -1): void {
    const { activeId, tabs } = this.#groups.active;
    if (activeId === null) return;
    tabs.reorder(activeId, Math.max(0, Math.min(tabs.list.length - 1, tabs.indexOf(activeId) + by)));
    this.#onChange();
  }

  /** Moves the active tab to the previous or next group; after the last one, to a new group. */
  moveToGroup(by: 1 | -1): void {
    const { active, list } = this.#groups;
    if (active.activeId === null) return;
    const next = list[list.indexOf(active) + by];
    this.move(active.activeId, next ? { group: next } : { beside: active, side: by > 0 ? 'right' : 'left' });
  }

  /** Moves all tabs into the active group. */
  joinGroups(): void {
    const { active: group, list } = this.#groups;
    for (const tab of list.flatMap((other) => (other === group ? [] : other.tabs.list))) {
      const isDuplicate = (tab.kind === 'file' && group.tabs.of(tab.document) !== undefined) || (tab.kind === 'view' && group.tabs.ofView(tab.view, tab.target) !== undefined);
      if (!isDuplicate) group.insert({ ...tab, preview: false }, group.tabs.list.length);
    }
    this.#groups.replaceAll([group], group.id, group);
    this.#groups.show(group);
  }
}
