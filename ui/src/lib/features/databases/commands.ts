import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'databases' | 'exporter' | 'settingsPage' | 'workspace'>;

export function dataCommands(services: Needs): Command[] {
  const { databases, workspace } = services;
  const hasStore = (): boolean => workspace.current?.has_store === true;

  return [
    { id: 'data.skills', group: 'Skill', title: 'Manage skills', inGuide: true, keywords: 'list enable disable toggle', run: () => services.settingsPage.open('skills') },
    { id: 'data.workspaces', group: 'Workspace', title: 'Manage workspaces', inGuide: true, keywords: 'recent trusted revoke forget folders', run: () => services.settingsPage.open('workspaces') },
    { id: 'data.backup', group: 'Data', title: 'Back up account database', keywords: 'copy save agents.db', run: () => databases.backUp('account') },
    { id: 'data.restore', group: 'Data', title: 'Restore account database', keywords: 'recover agents.db', run: () => databases.restore('account') },
    { id: 'data.check', group: 'Data', title: 'Check account database', keywords: 'integrity damaged corrupt repair agents.db', run: () => databases.check('account') },
    { id: 'data.backupWorkspace', group: 'Data', title: 'Back up workspace database', keywords: 'copy save agents.db', when: hasStore, run: () => databases.backUp('workspace') },
    { id: 'data.restoreWorkspace', group: 'Data', title: 'Restore workspace database', keywords: 'recover agents.db', when: hasStore, run: () => databases.restore('workspace') },
    { id: 'data.checkWorkspace', group: 'Data', title: 'Check workspace database', keywords: 'integrity damaged corrupt repair agents.db', when: hasStore, run: () => databases.check('workspace') },
    { id: 'data.exportAll', group: 'Data', title: 'Export all skills', keywords: 'backup save folder json package', when: () => services.catalog.complete && services.catalog.skills.length > 0, run: () => services.exporter.start(services.catalog.skills.filter((skill) => !skill.shadowed)) },
  ];
}
