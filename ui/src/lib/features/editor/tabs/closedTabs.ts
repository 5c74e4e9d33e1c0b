import type { Document, DocumentKey, Position } from '../document/document.svelte';
import type { EditorGroups } from './editorGroups.svelte';
import type { TabGroup } from './tabGroup.svelte';
import type { FileTab } from './tabList.svelte';

interface ClosedTab {
  key: DocumentKey;
  group: string;
  index: number;
  cursor: Position | undefined;
}

const MAX = 50;

/** The closed tabs, for reopening. */
export class ClosedTabs {
  #tabs: ClosedTab[] = [];
  readonly #groups: EditorGroups;
  readonly #open: (key: DocumentKey, cursor: Position | undefined) => Document;

  constructor(groups: EditorGroups, open: (key: DocumentKey, cursor: Position | undefined) => Document) {
    this.#groups = groups;
    this.#open = open;
  }

  get canReopen(): boolean {
    return this.#tabs.length > 0;
  }

  /** Must be called before the tab is removed from its group. */
  add(group: TabGroup, { id, document }: FileTab): void {
    const closed = { key: document.file.key, group: group.id, index: group.tabs.indexOf(id), cursor: group.cursors.get(id) };
    this.#tabs = [...this.#tabs, closed].slice(-MAX);
  }

  /** Opens the tab that was closed last, in its group and place if the group still exists. */
  reopen(): void {
    const last = this.#tabs.at(-1);
    if (!last) return;
    this.#tabs = this.#tabs.slice(0, -1);
    const group = this.#groups.list.find((one) => one.id === last.group);
    if (group) this.#groups.show(group, null);
    const document = this.#open(last.key, last.cursor);
    const tab = group?.tabs.of(document);
    if (tab) group?.tabs.reorder(tab.id, last.index);
  }

  clear(): void {
    this.#tabs = [];
  }
}
