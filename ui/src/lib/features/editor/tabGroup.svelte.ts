import { ViewRequest } from '$lib/components';
import type { Comparison } from './comparison.svelte';
import type { Document, Position } from './document.svelte';

export interface FileTab {
  kind: 'file';
  id: string;
  document: Document;
  /** Opened by a look: the next look takes its place. */
  preview: boolean;
}

export interface ComparisonTab {
  kind: 'comparison';
  id: string;
  comparison: Comparison;
  preview: boolean;
}

export type Tab = FileTab | ComparisonTab;

let [groups, tabs] = [0, 0];

export const newTabId = (): string => `tab-${++tabs}`;

/** A preview that was edited meanwhile stays, saved or not. */
const replaceable = (tab: Tab): boolean =>
  tab.preview && !(tab.kind === 'file' && (tab.document.dirty || tab.document.typedIn || tab.document.external !== null));

/** Tabs of which one is shown. The window has up to three such groups beside each other. */
export class TabGroup {
  readonly id = `group-${++groups}`;
  list = $state.raw<readonly Tab[]>([]);
  activeId = $state<string | null>(null);
  readonly active = $derived(this.list.find((tab) => tab.id === this.activeId) ?? null);
  readonly document = $derived(this.active?.kind === 'file' ? this.active.document : null);
  readonly documents = $derived(this.list.flatMap((tab) => (tab.kind === 'file' ? [tab.document] : [])));
  /** Brings the keyboard to what is shown here. */
  readonly focusRequest = new ViewRequest();
  /** Ids by last use, newest first. */
  #used: string[] = [];
  readonly #cursors = new Map<string, Position>();

  get(id: string): Tab | undefined {
    return this.list.find((tab) => tab.id === id);
  }

  tabOf(document: Document): FileTab | undefined {
    return this.list.find((tab): tab is FileTab => tab.kind === 'file' && tab.document === document);
  }

  show(id: string): void {
    this.activeId = id;
    this.#used = [id, ...this.#used.filter((one) => one !== id)];
  }

  /** The tabs by last use, the shown one first. */
  get recent(): Tab[] {
    const known = this.#used.flatMap((id) => this.get(id) ?? []);
    return [...known, ...this.list.filter((tab) => !known.includes(tab))];
  }

  cursorOf(id: string): Position | null {
    return this.#cursors.get(id) ?? null;
  }

  /** True when the cursor went to another line. */
  setCursor(id: string, position: Position): boolean {
    const before = this.#cursors.get(id);
    this.#cursors.set(id, position);
    return before?.line !== position.line;
  }

  /** Puts a tab beside the shown one, or at a place. Gives the preview whose place it took. */
  insert(tab: Tab, at?: number): Tab | null {
    const replaced = tab.preview ? this.list.find(replaceable) : undefined;
    if (replaced) {
      this.list = this.list.map((one) => (one === replaced ? tab : one));
      this.#forget(replaced.id);
      return replaced;
    }
    const shown = this.list.findIndex((one) => one.id === this.activeId);
    this.list = this.list.toSpliced(at ?? (shown < 0 ? this.list.length : shown + 1), 0, tab);
    return null;
  }

  replace(tab: Tab): void {
    this.list = this.list.map((one) => (one.id === tab.id ? tab : one));
  }

  pin(id: string): void {
    this.list = this.list.map((tab) => (tab.id === id && tab.preview ? { ...tab, preview: false } : tab));
  }

  /** Takes a tab out; the one used before it is shown then. */
  remove(id: string): void {
    this.list = this.list.filter((tab) => tab.id !== id);
    this.#forget(id);
    if (this.activeId !== id) return;
    const [next] = this.recent;
    if (next) this.show(next.id);
    else this.activeId = null;
  }

  reorder(id: string, to: number): void {
    const tab = this.get(id);
    if (!tab) return;
    const rest = this.list.filter((one) => one !== tab);
    this.list = rest.toSpliced(to, 0, tab);
  }

  #forget(id: string): void {
    this.#used = this.#used.filter((one) => one !== id);
    this.#cursors.delete(id);
  }
}
