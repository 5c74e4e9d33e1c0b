import type { Catalog, Client, Settings } from '$lib/api';
import type { Comparison } from '../comparison.svelte';
import type { FileView } from '../customEditors';
import type { Document, DocumentKey, RevealTarget } from '../document/document.svelte';
import { ClosedTabs } from './closedTabs';
import { EditorGroups } from './editorGroups.svelte';
import { OpenDocuments } from './openDocuments.svelte';
import { Switcher } from './switcher.svelte';
import { TabArrangement } from './tabArrangement';
import type { TabGroup } from './tabGroup.svelte';
import { TabHistory } from './tabHistory';
import { type ComparisonTab, newTabId, type Tab } from './tabList.svelte';
import { TabSession } from './tabSession';

export interface OpenOptions {
  /** The next preview takes its place. */
  preview?: boolean;
  focus?: boolean;
  at?: RevealTarget;
  /** In the next group, which is created if necessary. */
  beside?: boolean;
}

/** The open tabs. */
export class Tabs {
  readonly groups: EditorGroups;
  readonly documents: OpenDocuments;
  readonly arrangement: TabArrangement;
  readonly history: TabHistory;
  readonly closed: ClosedTabs;
  readonly session: TabSession;
  readonly switcher: Switcher;
  /** The active tab of the active group. */
  readonly active = $derived.by(() => this.groups.active.active);
  readonly document = $derived.by(() => this.groups.active.document);

  constructor(client: Client, catalog: Catalog, settings: Settings, views: readonly FileView[] = []) {
    const schedule = (): void => this.session.schedule();
    this.groups = new EditorGroups({
      onShow: (group) => {
        this.history.visit(group);
        schedule();
      },
      onResize: schedule,
    });
    this.documents = new OpenDocuments(client, catalog, this.groups, {
      onObsolete: (document) => {
        for (const tab of this.groups.tabs) if (tab.kind === 'file' && tab.document === document) this.close(tab.id);
      },
      onRename: schedule,
    });
    this.arrangement = new TabArrangement(this.groups, schedule);
    this.history = new TabHistory(catalog, this.groups, {
      open: ({ key, position }) => this.open(key, position ? { at: position } : {}),
      onLineChange: schedule,
    });
    this.closed = new ClosedTabs(this.groups, (key, cursor) => this.open(key, cursor ? { at: cursor } : {}, true));
    const onRestore = (): void => {
      this.closed.clear();
      this.history.clear();
    };
    this.session = new TabSession({ client, catalog, settings, groups: this.groups, documents: this.documents, views, onRestore });
    this.switcher = new Switcher(this.groups);
  }

  /** Opens a file, or shows its tab. With `followRename`, a renamed file is found by its new path. */
  open(key: DocumentKey, { preview = false, focus = true, at, beside = false }: OpenOptions = {}, followRename = false): Document {
    const document = this.documents.open(key, followRename);
    const group = beside ? this.#groupBeside() : this.groups.active;
    let tab = group.tabs.of(document);
    if (!tab) {
      tab = { kind: 'file', id: newTabId(), document, preview };
      this.#insert(group, tab);
    } else if (!preview && tab.preview) {
      group.tabs.pin(tab.id);
    }
    this.groups.show(group, tab.id, focus);
    if (at) document.revealTarget = focus ? { ...at } : { ...at, quiet: true };
    return document;
  }

  openComparison(comparison: Comparison): void {
    const group = this.groups.active;
    const existing = group.tabs.list.find((tab) => tab.kind === 'comparison' && tab.comparison.info.id === comparison.info.id);
    const tab: ComparisonTab = { kind: 'comparison', id: existing?.id ?? newTabId(), comparison, preview: true };
    if (existing) group.tabs.update(tab);
    else this.#insert(group, tab);
    this.groups.show(group, tab.id, false);
  }

  /** Closes a tab. Unsaved text stays as a draft. Returns the document if this was its last tab. For `deleted`, see `Document.close`. */
  close(id: string, deleted = false): Document | null {
    const group = this.groups.of(id);
    const tab = group?.tabs.get(id);
    if (!group || !tab) return null;
    if (tab.kind === 'file') this.closed.add(group, tab);
    const wasInFront = this.groups.active === group && group.activeId === id;
    group.remove(id);
    this.groups.dropEmpty(group);
    if (wasInFront) this.groups.show(this.groups.active);
    this.session.schedule();
    return tab.kind === 'file' ? this.documents.release(tab.document, deleted) : null;
  }

  #insert(group: TabGroup, tab: Tab): void {
    const replaced = group.insert(tab);
    if (replaced?.kind === 'file') this.documents.release(replaced.document);
  }

  #groupBeside(): TabGroup {
    const { active, list } = this.groups;
    const next = list[list.indexOf(active) + 1];
    if (next) return next;
    return this.arrangement.canSplit ? this.groups.addBeside(active, 'right') : (list.find((group) => group !== active) ?? active);
  }
}
