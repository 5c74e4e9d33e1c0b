import type { SkillOverview } from '$lib/api';
import type { MenuItem } from '$lib/components';
import { compareFileItems, compareSkillItems } from '$lib/features/compare';
import type { Row, ItemRow } from './rows';
import { kindForPath, KINDS, plural } from '$lib/domain';
import type { FileEntry } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'clipboard' | 'commands' | 'compare' | 'deployment' | 'files' | 'history' | 'importSource' | 'publishing' | 'tree' | 'treeActions' | 'workspace'>;

function skillMenu(services: Needs, row: ItemRow, skill: SkillOverview): MenuItem[] {
  const { treeActions, workspace } = services;
  const key = (id: string): string | undefined => services.commands.keyOf(id);
  const other = skill.scope === 'workspace' ? 'account' : 'workspace';
  const elsewhere = workspace.current?.writable === true;
  return [
    { label: 'Open', run: () => services.files.openSkill(skill) },
    { label: 'New file…', shortcut: key('skill.newFile'), disabled: skill.locked, separated: true, run: () => services.files.newFile(skill) },
    { label: 'Duplicate to edit', run: () => services.actions.duplicate(skill) },
    { label: skill.enabled ? 'Disable' : 'Enable', run: () => treeActions.enable([row], !skill.enabled) },
    {
      label: 'Show history',
      run: async () => {
        await services.files.openSkill(skill);
        services.history.show(false);
      },
    },
    ...compareSkillItems(services, skill),
    { label: 'Export…', separated: true, run: () => treeActions.export([row]) },
    { label: 'Publish…', disabled: skill.locked, run: () => services.publishing.start([skill]) },
    ...(elsewhere
      ? [{ label: `Move to ${other}`, disabled: skill.locked, run: () => treeActions.transfer([row], { kind: 'scope', scope: other }, false) } satisfies MenuItem]
      : []),
    ...clipboardItems(services, row),
    { label: 'Copy name', run: () => services.clipboard.copy(skill.slug, 'the name') },
    { label: 'Rename', shortcut: key('tree.rename'), disabled: skill.locked, separated: true, run: () => services.tree.rename.start(row) },
    { label: 'Delete', shortcut: 'Delete', run: () => treeActions.remove([row]) },
  ];
}

function clipboardItems(services: Needs, row: ItemRow): MenuItem[] {
  const { tree, treeActions } = services;
  const key = (id: string): string | undefined => services.commands.keyOf(id);
  const fixed = row.kind === 'file' && (row.entry.role === 'main' || row.entry.role === 'manifest');
  return [
    { label: 'Cut', shortcut: key('tree.cut'), disabled: row.skill.locked || fixed, separated: true, run: () => tree.clipboard.cut() },
    { label: 'Copy', shortcut: key('tree.copy'), disabled: fixed, run: () => tree.clipboard.copy() },
    { label: 'Paste', shortcut: key('tree.paste'), disabled: tree.clipboard.isEmpty, run: () => tree.clipboard.paste() },
    { label: 'Duplicate', shortcut: key('tree.duplicate'), disabled: fixed || (row.kind !== 'skill' && row.skill.locked), run: () => treeActions.duplicate([row]) },
  ];
}

function selectionMenu(services: Needs, rows: readonly ItemRow[]): MenuItem[] {
  const { tree, treeActions } = services;
  const key = (id: string): string | undefined => services.commands.keyOf(id);
  const skills = rows.filter((row) => row.kind === 'skill');
  const only = skills.length === rows.length;
  const what = plural(rows.length, only ? 'skill' : rows.every((row) => row.kind === 'file') ? 'file' : 'item');
  const items: MenuItem[] = [
    { label: `Cut ${what}`, shortcut: key('tree.cut'), run: () => tree.clipboard.cut() },
    { label: `Copy ${what}`, shortcut: key('tree.copy'), run: () => tree.clipboard.copy() },
    { label: `Duplicate ${what}`, shortcut: key('tree.duplicate'), run: () => treeActions.duplicate(rows) },
  ];
  if (only) {
    items.push(
      { label: `Enable ${what}`, disabled: skills.every((row) => row.skill.enabled), separated: true, run: () => treeActions.enable(rows, true) },
      { label: `Disable ${what}`, disabled: skills.every((row) => !row.skill.enabled), run: () => treeActions.enable(rows, false) },
      { label: `Export ${what}…`, run: () => treeActions.export(rows) },
      { label: `Deploy ${what} to agents…`, run: () => void services.deployment.start(skills.map((row) => row.skill)) },
      { label: `Publish ${what}…`, disabled: skills.every((row) => row.skill.locked), run: () => services.publishing.start(skills.map((row) => row.skill)) },
    );
  }
  items.push({ label: `Delete ${what}`, shortcut: 'Delete', separated: true, run: () => treeActions.remove(rows) });
  return items;
}

/** Changes a file to an artifact of the type that its folder suggests, or to a plain file. */
function artifactItems(services: Needs, skill: SkillOverview, entry: FileEntry): MenuItem[] {
  if (skill.locked || !entry.text || entry.role === 'main' || entry.role === 'manifest' || entry.role === 'state') return [];
  if (entry.artifact) return [{ label: 'Change type to plain file', run: () => services.actions.declare(skill, entry.path, null) }];
  const kind = kindForPath(entry.path);
  return [{ label: `Change type to ${KINDS[kind].label}`, run: () => services.actions.declare(skill, entry.path, kind) }];
}

/** The context menu of a row, or of the selection if the row is in it. */
export function rowMenu(services: Needs, row: Row): MenuItem[] {
  const { treeActions } = services;
  const key = (id: string): string | undefined => services.commands.keyOf(id);
  const { targets } = services.tree.selection;
  if (targets.length > 1) return selectionMenu(services, targets);
  switch (row.kind) {
    case 'section':
      return [
        { label: 'New skill…', shortcut: key('skill.new'), run: () => (services.actions.dialog = { kind: 'newSkill', scope: row.scope }) },
        { label: 'Import skills…', run: () => services.importSource.choose() },
        { label: 'Paste', shortcut: key('tree.paste'), disabled: services.tree.clipboard.isEmpty, run: () => services.tree.clipboard.paste() },
        { label: 'Deleted skills…', run: () => services.commands.run('skill.deleted') },
        { label: 'Collapse all', separated: true, run: () => services.tree.collapseAll() },
      ];
    case 'skill':
      return skillMenu(services, row, row.skill);
    case 'folder':
      return [
        { label: 'New file…', disabled: row.skill.locked, run: () => services.files.newFile(row.skill, row.path) },
        ...clipboardItems(services, row),
        { label: 'Copy path', run: () => services.clipboard.copy(row.path, 'the path') },
        { label: 'Rename', shortcut: key('tree.rename'), disabled: row.skill.locked, separated: true, run: () => services.tree.rename.start(row) },
        { label: 'Delete', shortcut: 'Delete', disabled: row.skill.locked, run: () => treeActions.remove([row]) },
      ];
    case 'file': {
      const { skill, entry } = row;
      const fixed = skill.locked || entry.role === 'main' || entry.role === 'manifest';
      return [
        { label: 'Open', shortcut: 'Enter', run: () => services.files.open(skill, entry.path) },
        { label: 'Open to the side', run: () => services.files.open(skill, entry.path, { beside: true }) },
        ...clipboardItems(services, row),
        { label: 'Copy path', run: () => services.clipboard.copy(entry.path, 'the path') },
        ...compareFileItems(services, skill, entry.path),
        ...artifactItems(services, skill, entry),
        {
          label: entry.executable ? 'Make not executable' : 'Make executable',
          disabled: fixed,
          run: () => services.actions.setExecutable(skill, entry.path, !entry.executable),
        },
        { label: 'Rename', shortcut: key('tree.rename'), disabled: fixed, separated: true, run: () => services.tree.rename.start(row) },
        { label: 'Delete', shortcut: 'Delete', disabled: fixed, run: () => treeActions.remove([row]) },
      ];
    }
    case 'note':
      return [];
  }
}

