import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

export function playgroundCommands({ context, playground }: Pick<Services, 'context' | 'playground'>): Command[] {
  const { inEditor } = context;
  const isOpen = (): boolean => playground.active !== null;

  return [
    { id: 'playground.open', group: 'Run', title: 'Open playground', inGuide: true, keys: ['Ctrl+Alt+Y'], keywords: 'compare models variants revisions side by side run', when: () => inEditor() && !isOpen() && playground.candidate !== null, run: () => playground.toggle() },
    { id: 'playground.file', group: 'Run', title: 'Open file of playground', keys: ['Ctrl+Alt+Y'], keywords: 'back source prompt editor', when: isOpen, run: () => playground.toggle() },
    { id: 'playground.run', group: 'Run', title: 'Run all columns', keys: ['Ctrl+Enter'], keywords: 'playground start', when: () => (playground.active?.columns.idle.length ?? 0) > 0, run: () => playground.active?.runs.start() },
    { id: 'playground.cancel', group: 'Run', title: 'Cancel all columns', keywords: 'playground stop', when: () => playground.active?.columns.running === true, run: () => playground.active?.runs.cancel() },
    { id: 'playground.add', group: 'Run', title: 'Add playground column', keywords: 'model variant revision compare', when: () => playground.active?.columns.canAdd === true, run: () => playground.active?.columns.add() },
  ];
}
