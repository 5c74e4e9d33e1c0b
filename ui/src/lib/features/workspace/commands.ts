import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'folders' | 'modelChooser' | 'opener' | 'runs' | 'settingsPage' | 'workspace'>;

export function workspaceCommands(services: Needs): Command[] {
  const { workspace } = services;

  return [
    { id: 'workspace.open', group: 'Workspace', title: 'Open folder', inGuide: true, keys: ['Ctrl+O', 'Ctrl+K Ctrl+O'], keywords: 'recent workspace', run: () => services.folders.openFolder() },
    { id: 'workspace.sample', group: 'Workspace', title: 'Open sample workspace', inGuide: true, when: () => !services.opener.isSampleOpen, run: () => services.opener.openSample() },
    { id: 'workspace.trust', group: 'Workspace', title: 'Trust workspace', when: () => workspace.current?.trusted === false, run: () => services.runs.setTrust(true) },
    { id: 'workspace.distrust', group: 'Workspace', title: 'Revoke workspace trust', when: () => workspace.current?.trusted === true, run: () => services.runs.setTrust(false) },
    { id: 'workspace.close', group: 'Workspace', title: 'Close folder', when: () => workspace.current !== null, run: () => workspace.close() },
    { id: 'model.choose', group: 'Model', title: 'Choose default model', inGuide: true, keywords: 'provider', run: () => services.modelChooser.ask() },
    { id: 'model.setup', group: 'Model', title: 'Set up models', inGuide: true, keywords: 'provider key settings ollama', run: () => services.settingsPage.open('models') },
  ];
}
