import type { SettingsEntry } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';

export function entries({ workspace }: Pick<Services, 'workspace'>): SettingsEntry[] {
  const home = (): string | null => workspace.status?.home ?? null;
  const open = (): string | null => workspace.current?.path ?? null;
  const below = (base: () => string | null, name: string) => (): string | null => {
    const path = base();
    return path === null ? null : `${path}/${name}`;
  };
  return [
    { id: 'home', section: 'data', order: 10, title: 'Account folder', about: 'Contains the account database and the app log. To move it, set the environment variable INKLINGS_HOME.', keywords: 'where is my data home path backup', control: { kind: 'fact', text: home, path: true } },
    { id: 'database', section: 'data', order: 10, title: 'Account database', about: 'Your skills, revisions, drafts, runs and settings.', keywords: 'agents.db sqlite backup restore check integrity', control: { kind: 'fact', text: below(home, 'agents.db'), path: true, commands: { 'data.backup': 'Back up…', 'data.restore': 'Restore from backup…', 'data.check': 'Check integrity' } } },
    { id: 'workspace', section: 'data', order: 10, title: 'Current workspace', about: 'Folder that is open in this window.', keywords: 'folder path', control: { kind: 'fact', text: open, path: true, none: 'No folder is open' } },
    { id: 'workspace-database', section: 'data', order: 10, title: 'Workspace database', about: 'Skills, revisions and runs of this workspace.', keywords: 'agents.db sqlite backup restore check integrity', control: { kind: 'fact', text: below(open, 'agents.db'), path: true, none: 'No folder is open', commands: { 'data.backupWorkspace': 'Back up…', 'data.restoreWorkspace': 'Restore from backup…', 'data.checkWorkspace': 'Check integrity' } } },
  ];
}
