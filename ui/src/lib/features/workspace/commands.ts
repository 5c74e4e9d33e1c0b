import type { Command } from '$lib/commands';
import type { Studio } from '$lib/app/studio.svelte';

export function workspaceCommands(studio: Studio): Command[] {
  const { workspace } = studio;

  return [
    { id: 'workspace.open', group: 'Workspace', title: 'Open folder', keys: ['Ctrl+O'], words: 'recent workspace', run: () => studio.folders.openFolder() },
    { id: 'workspace.sample', group: 'Workspace', title: 'Open sample workspace', when: () => workspace.current === null || workspace.current.path !== workspace.status?.sample_workspace, run: () => studio.folders.openSample() },
    { id: 'workspace.trust', group: 'Workspace', title: 'Trust workspace', when: () => workspace.current?.trusted === false, run: () => studio.runs.setTrust(true) },
    { id: 'workspace.distrust', group: 'Workspace', title: 'Revoke workspace trust', when: () => workspace.current?.trusted === true, run: () => studio.runs.setTrust(false) },
    { id: 'workspace.close', group: 'Workspace', title: 'Close folder', when: () => workspace.current !== null, run: () => workspace.close() },
    { id: 'model.choose', group: 'Model', title: 'Choose default model', words: 'provider', run: () => studio.chooseModel() },
    { id: 'model.setup', group: 'Model', title: 'Set up models', words: 'provider key settings ollama', run: () => studio.openSettings('models') },
  ];
}
