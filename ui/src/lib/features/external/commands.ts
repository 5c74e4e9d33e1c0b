import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

export function externalCommands(services: Pick<Services, 'context' | 'external' | 'links' | 'workspace'>): Command[] {
  const { context, external, links, workspace } = services;
  const folder = (): string | null => (context.selected.skill ? (links.of(context.selected.skill)?.folder ?? null) : null);

  return [
    { id: 'file.showFolder', group: 'File', title: 'Show linked folder in file manager', keys: ['Ctrl+K R'], keywords: 'reveal open finder explorer', when: () => context.inEditor() && folder() !== null, run: () => external.showFolder(folder() ?? '') },
    { id: 'workspace.showFolder', group: 'Workspace', title: 'Show workspace in file manager', keywords: 'reveal open folder finder explorer', when: () => workspace.current !== null, run: () => external.showFolder(workspace.current?.path ?? '') },
  ];
}
