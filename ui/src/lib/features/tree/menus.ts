import type { Brief, SkillKey } from '$lib/api';
import type { MenuItem } from '$lib/components';
import type { Tab } from '$lib/features/editor';
import type { Row, ThingRow } from '$lib/features/tree';
import { kindForPath, KINDS, plural } from '$lib/domain';
import type { FileEntry } from '$lib/api/generated';
import type { Studio } from '$lib/app/studio.svelte';

function skillMenu(studio: Studio, row: ThingRow, skill: Brief): MenuItem[] {
  const { treeActions, workspace } = studio;
  const key = (id: string): string | undefined => studio.commands.keyOf(id);
  const other = skill.scope === 'workspace' ? 'account' : 'workspace';
  const elsewhere = workspace.current?.writable === true;
  return [
    { label: 'Open', run: () => studio.files.openSkill(skill) },
    { label: 'New file…', shortcut: key('skill.newFile'), disabled: skill.locked, separated: true, run: () => studio.files.newFile(skill) },
    { label: 'Duplicate to edit', run: () => studio.actions.duplicate(skill) },
    { label: skill.enabled ? 'Disable' : 'Enable', run: () => treeActions.enable([row], !skill.enabled) },
    {
      label: 'Show history',
      run: async () => {
        await studio.files.openSkill(skill);
        studio.compare.showHistory(false);
      },
    },
    ...compareSkillItems(studio, skill),
    { label: 'Export…', separated: true, run: () => treeActions.export([row]) },
    ...(elsewhere
      ? [{ label: `Move to ${other}`, disabled: skill.locked, run: () => treeActions.bring([row], { kind: 'scope', scope: other }, false) } satisfies MenuItem]
      : []),
    ...clipboardItems(studio, row),
    { label: 'Copy name', run: () => studio.copy(skill.slug, 'the name') },
    { label: 'Rename', shortcut: key('tree.rename'), disabled: skill.locked, separated: true, run: () => studio.tree.startRename(row) },
    { label: 'Delete', shortcut: 'Delete', run: () => treeActions.remove([row]) },
  ];
}

/** What a skill can be compared with. */
function compareSkillItems(studio: Studio, skill: Brief): MenuItem[] {
  const other = skill.scope === 'workspace' ? 'account' : 'workspace';
  return skill.shadows || skill.shadowed ? [{ label: `Compare with ${other} version`, run: () => studio.compare.withOtherScope(skill) }] : [];
}

/** Choosing a file to be compared, and comparing another one with it. */
function compareFileItems(studio: Studio, key: SkillKey, path: string): MenuItem[] {
  const { compare } = studio;
  const file = { key: { scope: key.scope, id: key.id }, path };
  return [
    { label: 'Select for compare', separated: true, run: () => compare.select(file) },
    ...(compare.chosen ? [{ label: 'Compare with selected', disabled: !compare.mayCompareWith(file), run: () => compare.withSelected(file) }] : []),
  ];
}

/** Cut, copy, paste and duplicate, which every thing of the tree has. */
function clipboardItems(studio: Studio, row: ThingRow): MenuItem[] {
  const { tree, treeActions } = studio;
  const key = (id: string): string | undefined => studio.commands.keyOf(id);
  const fixed = row.kind === 'file' && (row.entry.role === 'main' || row.entry.role === 'manifest');
  return [
    { label: 'Cut', shortcut: key('tree.cut'), disabled: row.skill.locked || fixed, separated: true, run: () => tree.take(true) },
    { label: 'Copy', shortcut: key('tree.copy'), disabled: fixed, run: () => tree.take(false) },
    { label: 'Paste', shortcut: key('tree.paste'), disabled: tree.clipboard === null, run: () => tree.paste() },
    { label: 'Duplicate', shortcut: key('tree.duplicate'), disabled: fixed || (row.kind !== 'skill' && row.skill.locked), run: () => treeActions.duplicate([row]) },
  ];
}

/** The menu of several rows: what can be done with all of them at once. */
function manyMenu(studio: Studio, rows: readonly ThingRow[]): MenuItem[] {
  const { tree, treeActions } = studio;
  const key = (id: string): string | undefined => studio.commands.keyOf(id);
  const skills = rows.filter((row) => row.kind === 'skill');
  const only = skills.length === rows.length;
  const what = plural(rows.length, only ? 'skill' : rows.every((row) => row.kind === 'file') ? 'file' : 'item');
  const items: MenuItem[] = [
    { label: `Cut ${what}`, shortcut: key('tree.cut'), run: () => tree.take(true) },
    { label: `Copy ${what}`, shortcut: key('tree.copy'), run: () => tree.take(false) },
    { label: `Duplicate ${what}`, shortcut: key('tree.duplicate'), run: () => treeActions.duplicate(rows) },
  ];
  if (only) {
    items.push(
      { label: `Enable ${what}`, disabled: skills.every((row) => row.skill.enabled), separated: true, run: () => treeActions.enable(rows, true) },
      { label: `Disable ${what}`, disabled: skills.every((row) => !row.skill.enabled), run: () => treeActions.enable(rows, false) },
      { label: `Export ${what}…`, run: () => treeActions.export(rows) },
    );
  }
  items.push({ label: `Delete ${what}`, shortcut: 'Delete', separated: true, run: () => treeActions.remove(rows) });
  return items;
}

/** "Make this an artifact", with the kind that its place suggests, or the way back. */
function artifactItems(studio: Studio, skill: Brief, entry: FileEntry): MenuItem[] {
  if (skill.locked || !entry.text || entry.role === 'main' || entry.role === 'manifest' || entry.role === 'state') return [];
  if (entry.artifact) return [{ label: 'Change type to plain file', run: () => studio.actions.declare(skill, entry.path, null) }];
  const kind = kindForPath(entry.path);
  return [{ label: `Change type to ${KINDS[kind].label}`, run: () => studio.actions.declare(skill, entry.path, kind) }];
}

/** The context menu of a row in the tree; of all that is chosen when the row is one of them. */
export function rowMenu(studio: Studio, row: Row): MenuItem[] {
  const { treeActions } = studio;
  const key = (id: string): string | undefined => studio.commands.keyOf(id);
  const chosen = treeActions.chosen;
  if (chosen.length > 1) return manyMenu(studio, chosen);
  switch (row.kind) {
    case 'section':
      return [
        { label: 'New skill…', shortcut: key('skill.new'), run: () => (studio.actions.dialog = { kind: 'newSkill', scope: row.scope }) },
        { label: 'Import skills…', run: () => studio.folders.importFolder() },
        { label: 'Paste', shortcut: key('tree.paste'), disabled: studio.tree.clipboard === null, run: () => studio.tree.paste() },
        { label: 'Deleted skills…', run: () => studio.commands.run('skill.deleted') },
        { label: 'Collapse all', separated: true, run: () => studio.tree.collapseAll() },
      ];
    case 'skill':
      return skillMenu(studio, row, row.skill);
    case 'folder':
      return [
        { label: 'New file…', disabled: row.skill.locked, run: () => studio.files.newFile(row.skill, row.path) },
        ...clipboardItems(studio, row),
        { label: 'Copy path', run: () => studio.copy(row.path, 'the path') },
        { label: 'Rename', shortcut: key('tree.rename'), disabled: row.skill.locked, separated: true, run: () => studio.tree.startRename(row) },
        { label: 'Delete', shortcut: 'Delete', disabled: row.skill.locked, run: () => treeActions.remove([row]) },
      ];
    case 'file': {
      const { skill, entry } = row;
      const fixed = skill.locked || entry.role === 'main' || entry.role === 'manifest';
      return [
        { label: 'Open', shortcut: 'Enter', run: () => studio.files.open(skill, entry.path) },
        { label: 'Open to the side', run: () => studio.files.open(skill, entry.path, { beside: true }) },
        ...clipboardItems(studio, row),
        { label: 'Copy path', run: () => studio.copy(entry.path, 'the path') },
        ...compareFileItems(studio, skill, entry.path),
        ...artifactItems(studio, skill, entry),
        {
          label: entry.executable ? 'Make not executable' : 'Make executable',
          disabled: fixed,
          run: () => studio.actions.setExecutable(skill, entry.path, !entry.executable),
        },
        { label: 'Rename', shortcut: key('tree.rename'), disabled: fixed, separated: true, run: () => studio.tree.startRename(row) },
        { label: 'Delete', shortcut: 'Delete', disabled: fixed, run: () => treeActions.remove([row]) },
      ];
    }
    case 'note':
      return [];
  }
}

/** The context menu of the text in front. */
export function textMenu(studio: Studio): MenuItem[] {
  const { front } = studio.editor;
  if (!front) return [];
  const command = (id: string, label: string, more: Partial<MenuItem> = {}): MenuItem => ({
    label,
    shortcut: studio.commands.keyOf(id),
    run: () => studio.commands.run(id),
    ...more,
  });
  const paste = async (): Promise<void> => {
    try {
      front.insert((await studio.platform.pasteText()) ?? '');
    } catch (cause) {
      studio.actions.report('Couldn’t paste', cause);
    }
  };
  const fixed = front.isReadOnly;
  return [
    command('go.definition', 'Go to definition'),
    command('go.references', 'Find references'),
    command('text.rename', 'Rename', { disabled: fixed }),
    command('problem.fix', 'Quick fix…', { disabled: fixed }),
    { label: 'Cut', shortcut: 'Ctrl+X', disabled: fixed, separated: true, run: () => studio.copy(front.take(true), 'the text') },
    { label: 'Copy', shortcut: 'Ctrl+C', run: () => studio.copy(front.take(false), 'the text') },
    { label: 'Paste', shortcut: 'Ctrl+V', disabled: fixed, run: paste },
    command('text.format', 'Format file', { disabled: fixed, separated: true }),
    command('go.commands', 'Command palette…'),
  ];
}

/** The context menu of text that is only read: what is selected can be copied. */
export function readingMenu(studio: Studio, selected: string): MenuItem[] {
  return selected === '' ? [] : [{ label: 'Copy', shortcut: 'Ctrl+C', run: () => studio.copy(selected, 'the selection') }];
}

/** The context menu of a tab. */
export function tabMenu(studio: Studio, tab: Tab): MenuItem[] {
  const group = studio.tabs.groupOf(tab.id);
  const key = (id: string): string | undefined => studio.commands.keyOf(id);
  const items: MenuItem[] = [
    { label: 'Close', shortcut: key('file.close'), run: () => studio.files.closeTab(tab.id) },
    { label: 'Close others', run: () => studio.files.closeTabs((one) => one.id !== tab.id && studio.tabs.groupOf(one.id) === group) },
    { label: 'Close all', run: () => studio.files.closeTabs((one) => studio.tabs.groupOf(one.id) === group) },
    { label: 'Split right', shortcut: key('editor.splitRight'), disabled: !studio.tabs.canSplit, separated: true, run: () => studio.tabs.split('right', tab.id) },
    { label: 'Split down', shortcut: key('editor.splitDown'), disabled: !studio.tabs.canSplit, run: () => studio.tabs.split('down', tab.id) },
  ];
  if (tab.kind === 'file') {
    const { document } = tab;
    items.push(
      { label: 'Keep open', disabled: !tab.preview, separated: true, run: () => studio.tabs.pin(tab.id) },
      { label: 'Copy path', run: () => studio.copy(document.path, 'the path') },
      { label: 'Show in tree', run: () => studio.tree.reveal({ scope: document.scope, id: document.skillId }, document.path) },
      ...compareFileItems(studio, { scope: document.scope, id: document.skillId }, document.path),
      { label: 'Compare with saved', disabled: !document.dirty, run: () => studio.compare.withSaved(document) },
      { label: 'Discard changes', disabled: !document.dirty, separated: true, run: () => studio.files.discard(document) },
    );
  }
  return items;
}
