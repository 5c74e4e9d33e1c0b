import type { SkillKey } from '$lib/api';
import { moveDocument } from '../document/document.svelte';
import { sameFile } from '../document/storedFile.svelte';
import type { Tabs } from './tabs.svelte';

/** Closes the tabs of a deleted file or skill. */
export function closeDeleted(tabs: Tabs, skill: SkillKey, path?: string): void {
  for (const tab of tabs.groups.tabs) {
    if (tab.kind === 'comparison') continue;
    const file = tab.kind === 'view' ? tab.target : tab.document.file.key;
    if (file.skillId === skill.id && file.scope === skill.scope && (path ?? file.path) === file.path) tabs.close(tab.id, true);
  }
  tabs.session.saveNow();
}

/** Follows a file that this window moved. */
export function followMove(tabs: Tabs, skill: SkillKey, from: string, to: string): void {
  const key = { scope: skill.scope, skillId: skill.id, path: from };
  const document = tabs.documents.get(key);
  if (document) moveDocument(document, to).catch(() => undefined);
  for (const group of tabs.groups.list) {
    for (const tab of group.tabs.list) if (tab.kind === 'view' && sameFile(tab.target, key)) group.tabs.update({ ...tab, target: { ...key, path: to } });
  }
  tabs.history.moved(key, { ...key, path: to });
  tabs.session.saveNow();
}
