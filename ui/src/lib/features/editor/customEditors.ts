import type { Component } from 'svelte';
import type { Contributed } from '$lib/workbench/contribution';
import type { Services } from '$lib/workbench/services';
import type { Document, DocumentKey } from './document/document.svelte';
import type { TabGroup } from './tabs/tabGroup.svelte';
import type { FileTab, TabMode } from './tabs/tabList.svelte';

/** An editor that is shown instead of the text of matching documents, unless the user switches to the text. */
export interface CustomEditor extends Contributed {
  /** The label in the switch between editor and text. */
  label: string;
  /** The text is shown until the user switches to the editor. */
  opensAsText?: true;
  matches: (document: Document) => boolean;
  load: () => Promise<{ default: Component<{ services: Services; document: Document; readOnly: boolean; group: TabGroup }> }>;
}

/** A view of a file in a tab of its own, beside the tab with its text. */
export interface FileView extends Contributed {
  /** Distinguishes its tab from the file's. */
  label: string;
  icon: Component<{ size?: number; 'aria-hidden'?: 'true' }>;
  load: () => Promise<{ default: Component<{ services: Services; target: DocumentKey }> }>;
}

/** Shown while no tab is open. */
export interface WelcomePart extends Contributed {
  component: Component<{ services: Services }>;
}

/** Null for most documents. */
export const customEditorOf = ({ contributions }: Pick<Services, 'contributions'>, document: Document): CustomEditor | null =>
  contributions.of('customEditors').find((one) => one.matches(document)) ?? null;

/** How a tab shows a file that has a custom editor or viewer: as the user switched it, else by default. */
export const modeOf = (tab: Pick<FileTab, 'mode'>, editor: Pick<CustomEditor, 'opensAsText'> | null): TabMode => tab.mode ?? (editor?.opensAsText ? 'text' : 'custom');
