import { ViewRequest } from '$lib/components';
import type { Position } from '../document/document.svelte';
import { type Tab, TabList, type TabMode } from './tabList.svelte';

let count = 0;

/** A tab bar and the editor below it. */
export class TabGroup {
  readonly id = `group-${++count}`;
  readonly tabs = new TabList();
  activeId = $state<string | null>(null);
  readonly active = $derived(this.tabs.list.find((tab) => tab.id === this.activeId) ?? null);
  readonly document = $derived(this.active?.kind === 'file' ? this.active.document : null);
  /** Focuses the editor of this group. */
  readonly focusRequest = new ViewRequest();
  /** By tab. */
  readonly cursors = new Map<string, Position>();
  /** Ids by last use, newest first. */
  #used: string[] = [];

  /** The tabs by last use, the active one first. */
  get recent(): Tab[] {
    const used = this.#used.flatMap((id) => this.tabs.get(id) ?? []);
    return [...used, ...this.tabs.list.filter((tab) => !used.includes(tab))];
  }

  show(id: string): void {
    this.activeId = id;
    this.#used = [id, ...this.#used.filter((one) => one !== id)];
  }

  /** Switches the active tab between the text and the custom editor of its file. */
  showAs(mode: TabMode): void {
    if (this.active?.kind === 'file' && this.active.mode !== mode) this.tabs.update({ ...this.active, mode });
  }

  /** Inserts a tab after the active one, or at an index. Returns the preview that it replaced. */
  insert(tab: Tab, at?: number): Tab | null {
    const replaced = tab.preview ? this.tabs.replacePreview(tab) : null;
    if (replaced) {
      this.#forget(replaced.id);
      return replaced;
    }
    const active = this.tabs.indexOf(this.activeId);
    this.tabs.insert(tab, at ?? (active < 0 ? this.tabs.list.length : active + 1));
    return null;
  }

  /** Removes a tab. The one used before it becomes active. */
  remove(id: string): void {
    this.tabs.remove(id);
    this.#forget(id);
    if (this.activeId !== id) return;
    const [next] = this.recent;
    if (next) this.show(next.id);
    else this.activeId = null;
  }

  #forget(id: string): void {
    this.#used = this.#used.filter((one) => one !== id);
    this.cursors.delete(id);
  }
}
