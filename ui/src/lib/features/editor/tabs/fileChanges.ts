import type { SkillKey } from '$lib/api';
import { moveDocument } from '../document/document.svelte';
import type { Tabs } from './tabs.svelte';

/** Closes the tabs of a deleted file or skill. */
export function closeDeleted(tabs: Tabs, skill: SkillKey, path?: string): void {
  for (const tab of tabs.groups.tabs) {
    if (tab.kind !== 'file') continue;
    const { file } = tab.document;
    if (file.skill.id === skill.id && file.skill.scope === skill.scope && (path ?? file.path) === file.path) tabs.close(tab.id);
  }
  tabs.session.saveNow();
}

/** Follows a file that this window moved. */
export function followMove(tabs: Tabs, skill: SkillKey, from: string, to: string): void {
  const key = { scope: skill.scope, skillId: skill.id, path: from };
  const document = tabs.documents.get(key);
  if (document) moveDocument(document, to).catch(() => undefined);
  tabs.history.moved(key, { ...key, path: to });
  tabs.session.saveNow();
}
