import type { Catalog } from '$lib/api';
import type { Document, DocumentKey, Position } from '../document/document.svelte';
import type { EditorGroups } from './editorGroups.svelte';
import { NavigationHistory, type Stop } from './navigationHistory';
import type { TabGroup } from './tabGroup.svelte';

interface Events {
  open: (stop: Stop) => void;
  /** The cursor of a tab is on another line. */
  onLineChange: () => void;
}

/** Records cursors and goes back and forward between visited positions. */
export class TabHistory {
  readonly #catalog: Catalog;
  readonly #groups: EditorGroups;
  readonly #events: Events;
  readonly #history = new NavigationHistory();

  constructor(catalog: Catalog, groups: EditorGroups, events: Events) {
    this.#catalog = catalog;
    this.#groups = groups;
    this.#events = events;
  }

  get canGoBack(): boolean {
    return this.#history.canGoBack;
  }

  get canGoForward(): boolean {
    return this.#history.canGoForward;
  }

  goBack(): void {
    this.#go(-1);
  }

  goForward(): void {
    this.#go(1);
  }

  /** A group shows another document. */
  visit(group: TabGroup): void {
    if (group === this.#groups.active && group.document) this.#history.visit(group.document.file.key, null);
  }

  recordCursor(group: TabGroup, document: Document, position: Position): void {
    const tab = group.tabs.of(document);
    if (!tab) return;
    const before = group.cursors.get(tab.id);
    group.cursors.set(tab.id, position);
    if (before?.line !== position.line) this.#events.onLineChange();
    // The cursor isn’t at its reveal target yet.
    if (group === this.#groups.active && group.document === document && !document.revealTarget) this.#history.visit(document.file.key, position);
  }

  moved(from: DocumentKey, to: DocumentKey): void {
    this.#history.moved(from, to);
  }

  clear(): void {
    this.#history.clear();
  }

  #go(by: 1 | -1): void {
    const stop = this.#history.go(by, (key) => this.#exists(key));
    if (stop) this.#events.open(stop);
  }

  #exists({ scope, skillId, path }: DocumentKey): boolean {
    const key = { scope, id: skillId };
    const detail = this.#catalog.details.get(key);
    return detail ? detail.entries.some((entry) => entry.path === path) : this.#catalog.summary(key) !== undefined;
  }
}
