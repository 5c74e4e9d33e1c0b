import type { MenuItem } from '$lib/components';
import type { Tab } from '$lib/features/editor';
import type { Row } from '$lib/features/tree';
import { kindForPath, KINDS } from '$lib/domain';
import type { FileEntry, SkillSummary } from '$lib/wire';
import type { Studio } from './studio.svelte';

function skillMenu(studio: Studio, skill: SkillSummary): MenuItem[] {
  const key = (id: string): string | undefined => studio.commands.keyOf(id);
  return [
    { label: 'Open', run: () => studio.files.openSkill(skill) },
    { label: 'New file…', shortcut: key('skill.newFile'), disabled: skill.locked, separated: true, run: () => studio.files.newFile(skill) },
    { label: 'Duplicate to edit', run: () => studio.actions.duplicate(skill) },
    { label: skill.enabled ? 'Disable' : 'Enable', run: () => studio.actions.enable(skill, !skill.enabled) },
    {
      label: 'Show history',
      run: async () => {
        await studio.files.openSkill(skill);
        studio.layout.set({ showInspector: true, inspectorTab: 'info' });
      },
    },
    { label: 'Export to folder…', separated: true, run: () => studio.folders.exportSkill(skill) },
    { label: 'Copy name', run: () => studio.copy(skill.slug, 'the name') },
    { label: 'Delete', shortcut: 'Delete', separated: true, run: () => studio.actions.deleteSkill(skill) },
  ];
}

/** "Make this an artifact", with the kind that its place suggests, or the way back. */
function artifactItems(studio: Studio, skill: SkillSummary, entry: FileEntry): MenuItem[] {
  if (skill.locked || !entry.text || entry.role === 'main' || entry.role === 'manifest' || entry.role === 'state') return [];
  if (entry.artifact) return [{ label: 'Make it a plain file', run: () => studio.actions.declare(skill, entry.path, null) }];
  const kind = kindForPath(entry.path);
  return [{ label: `Make it an artifact (${KINDS[kind].label.toLowerCase()})`, run: () => studio.actions.declare(skill, entry.path, kind) }];
}

/** The context menu of a row in the tree. */
export function rowMenu(studio: Studio, row: Row): MenuItem[] {
  const key = (id: string): string | undefined => studio.commands.keyOf(id);
  switch (row.kind) {
    case 'section':
      return [
        { label: 'New skill…', shortcut: key('skill.new'), run: () => (studio.actions.dialog = { kind: 'newSkill', scope: row.scope }) },
        { label: 'Import folder…', run: () => studio.folders.importFolder() },
        { label: 'Collapse all', separated: true, run: () => studio.tree.collapseAll() },
      ];
    case 'skill':
      return skillMenu(studio, row.skill);
    case 'folder':
      return [
        { label: 'New file…', disabled: row.skill.locked, run: () => studio.files.newFile(row.skill, row.path) },
        { label: 'Rename…', shortcut: 'F2', disabled: row.skill.locked, run: () => studio.files.renameFile(row.skill, row.path, true) },
        { label: 'Delete', shortcut: 'Delete', disabled: row.skill.locked, separated: true, run: () => studio.files.deleteFile(row.skill, row.path, true) },
      ];
    case 'file': {
      const { skill, entry } = row;
      const fixed = skill.locked || entry.role === 'main' || entry.role === 'manifest';
      return [
        { label: 'Open', shortcut: 'Enter', run: () => studio.files.open(skill, entry.path) },
        { label: 'Copy path', run: () => studio.copy(entry.path, 'the path') },
        { label: 'Rename…', shortcut: 'F2', disabled: fixed, separated: true, run: () => studio.files.renameFile(skill, entry.path) },
        ...artifactItems(studio, skill, entry),
        {
          label: entry.executable ? 'Make not executable' : 'Make executable',
          disabled: fixed,
          run: () => studio.actions.setExecutable(skill, entry.path, !entry.executable),
        },
        {
          label: 'Delete',
          shortcut: 'Delete',
          disabled: skill.locked || entry.role === 'main',
          separated: true,
          run: () => studio.files.deleteFile(skill, entry.path),
        },
      ];
    }
    case 'note':
      return [];
  }
}

/** The context menu of a tab. */
export function tabMenu(studio: Studio, tab: Tab): MenuItem[] {
  const key = (id: string): string | undefined => studio.commands.keyOf(id);
  const items: MenuItem[] = [
    { label: 'Close', shortcut: key('file.close'), run: () => studio.files.closeTab(tab.id) },
    { label: 'Close others', run: () => studio.files.closeTabs((one) => one.id !== tab.id) },
    { label: 'Close all', run: () => studio.files.closeTabs(() => true) },
  ];
  if (tab.kind === 'file') {
    const { document } = tab;
    items.push(
      { label: 'Keep open', disabled: !tab.preview, separated: true, run: () => studio.tabs.pin(tab.id) },
      { label: 'Copy path', run: () => studio.copy(document.path, 'the path') },
      { label: 'Show in tree', run: () => studio.tree.reveal({ scope: document.scope, id: document.skillId }, document.path) },
      { label: 'Discard changes', disabled: !document.dirty, separated: true, run: () => studio.files.discard(document) },
    );
  }
  return items;
}
