import { type Catalog, type Client, Debounce, type Settings } from '$lib/api';
import type { FileView } from '../customEditors';
import type { EditorGroups } from './editorGroups.svelte';
import type { OpenDocuments } from './openDocuments.svelte';
import { readTabs, type StoredTab, withIds, withIndices, writeTabs } from './storedTabs';
import { TabGroup } from './tabGroup.svelte';
import { type FileTab, type FileViewTab, newTabId, type Tab } from './tabList.svelte';

const SAVE_DELAY_MS = 300;

interface SessionParts {
  client: Client;
  catalog: Catalog;
  settings: Settings;
  groups: EditorGroups;
  documents: OpenDocuments;
  views: readonly FileView[];
  onRestore: () => void;
}

/** The open tabs of each workspace, which are restored after a restart. */
export class TabSession {
  readonly #parts: SessionParts;
  readonly #save = new Debounce(SAVE_DELAY_MS, () => this.#write());
  #restoring = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Stores the tabs soon. */
  schedule(): void {
    this.#save.touch();
  }

  /** Stores the tabs at once, as after a change of files: a crash doesn’t undo that, so the tabs must match. */
  saveNow(): void {
    this.#save.touch();
    this.#save.flush();
  }

  /** Stores unsaved texts as drafts, and the tabs. */
  async keepAll(): Promise<void> {
    this.#save.flush();
    await Promise.all(this.#parts.documents.list.map((document) => document.draft.flush()));
  }

  /** Closes all tabs and opens those of the current workspace. */
  async restore(): Promise<void> {
    const { client, settings, groups, documents, onRestore } = this.#parts;
    this.#restoring = true;
    const before = documents.list;
    const stored = readTabs(settings, client.windowKey);
    const restored = stored.groups.map(() => new TabGroup());
    onRestore();
    groups.replaceAll(restored, withIds(stored.grid, restored.map((group) => group.id)), restored[stored.active]);
    await Promise.all(before.map((document) => document.close()));
    for (const [index, group] of restored.entries()) {
      const { tabs, active } = stored.groups[index] ?? { tabs: [], active: -1 };
      const opened = tabs.map((tab) => this.#restoreTab(group, tab));
      const front = opened[active] ?? group.tabs.list.at(-1);
      if (front) group.show(front.id);
    }
    for (const group of restored) groups.dropEmpty(group);
    this.#restoring = false;
  }

  #restoreTab(group: TabGroup, { scope, skill, path, preview = false, cursor, view: viewId }: StoredTab): Tab | null {
    const { catalog, documents, views } = this.#parts;
    const key = { scope, id: skill };
    // Unsaved text outlives its skill, which may be restored.
    if (!catalog.summary(key) && (viewId !== undefined || !catalog.drafts.has(key, path))) return null;
    if (viewId !== undefined) {
      const view = views.find((one) => one.id === viewId);
      if (!view) return null;
      const restored: FileViewTab = { kind: 'view', id: newTabId(), view, target: { scope, skillId: skill, path }, preview };
      group.tabs.insert(restored, group.tabs.list.length);
      return restored;
    }
    const document = documents.open({ scope, skillId: skill, path }, true);
    if (group.tabs.of(document)) return null;
    const tab: FileTab = { kind: 'file', id: newTabId(), document, preview };
    group.tabs.insert(tab, group.tabs.list.length);
    if (cursor) group.cursors.set(tab.id, cursor);
    return tab;
  }

  #write(): void {
    if (this.#restoring) return;
    const { client, settings, groups } = this.#parts;
    const { list, layout, active } = groups;
    writeTabs(settings, {
      windowKey: client.windowKey,
      groups: list.map((group) => {
        const stored = group.tabs.list.filter((tab): tab is FileTab | FileViewTab => tab.kind !== 'comparison');
        return { tabs: stored.map((tab) => storedTab(group, tab)), active: stored.findIndex((tab) => tab.id === group.activeId) };
      }),
      grid: withIndices(layout.grid, (id) => list.findIndex((group) => group.id === id)),
      active: list.indexOf(active),
    });
  }
}

function storedTab({ cursors }: TabGroup, tab: FileTab | FileViewTab): StoredTab {
  if (tab.kind === 'view') return { scope: tab.target.scope, skill: tab.target.skillId, path: tab.target.path, view: tab.view.id };
  const { id, document: { file }, preview } = tab;
  const cursor = cursors.get(id);
  return { scope: file.skill.scope, skill: file.skill.id, path: file.path, ...(preview ? { preview } : {}), ...(cursor ? { cursor } : {}) };
}
