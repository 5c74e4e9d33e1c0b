import type { FileView } from '../customEditors';
import type { DocumentKey } from '../document/document.svelte';
import { type FileViewTab, newTabId } from './tabList.svelte';
import type { Tabs } from './tabs.svelte';

/** Shows a feature's view of a file in a tab of its own. */
export function openView({ groups, session }: Tabs, view: FileView, target: DocumentKey): void {
  const group = groups.active;
  let tab = group.tabs.ofView(view, target);
  if (!tab) {
    tab = { kind: 'view', id: newTabId(), view, target, preview: false } satisfies FileViewTab;
    group.insert(tab);
  }
  groups.show(group, tab.id);
  session.schedule();
}
