import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';
import { hasRunSource, runSource } from './runSource';

type Needs = Pick<Services, 'actionPick' | 'actionSaving' | 'catalog' | 'context' | 'overlays' | 'playground' | 'runView' | 'settingsPage'>;

export function savedActionCommands(services: Needs): Command[] {
  const { actionPick, actionSaving, overlays, settingsPage } = services;

  async function save(): Promise<void> {
    const source = await runSource(services);
    if (source) await actionSaving.start(source);
  }

  return [
    {
      id: 'action.run',
      group: 'Run',
      title: 'Run action',
      inGuide: true,
      keywords: 'saved start optimize',
      run: () => {
        actionPick.start();
        overlays.show('action');
      },
    },
    { id: 'action.save', group: 'Run', title: 'Save as action', keywords: 'keep run values playground', when: () => hasRunSource(services), run: save },
    { id: 'action.manage', group: 'Run', title: 'Manage actions', inGuide: true, keywords: 'enable disable delete edit values', run: () => settingsPage.open('actions') },
  ];
}
