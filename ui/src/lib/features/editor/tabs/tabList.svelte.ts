import { baseName } from '$lib/domain';
import type { Comparison } from '../comparison.svelte';
import type { FileView } from '../customEditors';
import { type Document, type DocumentKey } from '../document/document.svelte';
import { sameFile } from '../document/storedFile.svelte';

/** Whether a file is shown as its text, or in its custom editor or viewer. */
export type TabMode = 'text' | 'custom';

export interface FileTab {
  kind: 'file';
  id: string;
  document: Document;
  /** The next preview takes its place. */
  preview: boolean;
  /** Absent until the user switches it. */
  mode?: TabMode;
}

export interface ComparisonTab {
  kind: 'comparison';
  id: string;
  comparison: Comparison;
  preview: boolean;
}

export interface FileViewTab {
  kind: 'view';
  id: string;
  view: FileView;
  target: DocumentKey;
  preview: boolean;
}

export type Tab = FileTab | ComparisonTab | FileViewTab;

/** The title on the tab bar. */
export function tabName(tab: Tab): string {
  if (tab.kind === 'file') return baseName(tab.document.file.path);
  return tab.kind === 'comparison' ? tab.comparison.info.name : baseName(tab.target.path);
}

/** The whole title, without a file's skill. */
export function tabTitle(tab: Tab): string {
  if (tab.kind === 'view') return `${tab.view.label}: ${tabName(tab)}`;
  return tab.kind === 'comparison' ? tab.comparison.info.title : tabName(tab);
}

let count = 0;

export const newTabId = (): string => `tab-${++count}`;

/** A preview that was edited meanwhile stays, saved or not. */
const isReplaceable = (tab: Tab): boolean =>
  tab.preview && !(tab.kind === 'file' && (tab.document.content.dirty || tab.document.content.wasEdited || tab.document.conflict.external !== null));

/** The tabs of a group, in their order on the tab bar. */
export class TabList {
  list = $state.raw<readonly Tab[]>([]);
  readonly documents = $derived(this.list.flatMap((tab) => (tab.kind === 'file' ? [tab.document] : [])));

  get(id: string): Tab | undefined {
    return this.list.find((tab) => tab.id === id);
  }

  of(document: Document): FileTab | undefined {
    return this.list.find((tab): tab is FileTab => tab.kind === 'file' && tab.document === document);
  }

  ofView(view: FileView, target: DocumentKey): FileViewTab | undefined {
    return this.list.find((tab): tab is FileViewTab => tab.kind === 'view' && tab.view.id === view.id && sameFile(tab.target, target));
  }

  indexOf(id: string | null): number {
    return this.list.findIndex((tab) => tab.id === id);
  }

  insert(tab: Tab, at: number): void {
    this.list = this.list.toSpliced(at, 0, tab);
  }

  /** Replaces the tab with the same id. */
  update(tab: Tab): void {
    this.list = this.list.map((one) => (one.id === tab.id ? tab : one));
  }

  /** Puts a tab in the place of the preview, which is returned; null if there is none. */
  replacePreview(tab: Tab): Tab | null {
    const preview = this.list.find(isReplaceable);
    if (!preview) return null;
    this.list = this.list.map((one) => (one === preview ? tab : one));
    return preview;
  }

  /** Turns a preview into a permanent tab. */
  pin(id: string): void {
    this.list = this.list.map((tab) => (tab.id === id && tab.preview ? { ...tab, preview: false } : tab));
  }

  remove(id: string): void {
    this.list = this.list.filter((tab) => tab.id !== id);
  }

  reorder(id: string, to: number): void {
    const tab = this.get(id);
    if (tab) this.list = this.list.filter((one) => one !== tab).toSpliced(to, 0, tab);
  }
}
