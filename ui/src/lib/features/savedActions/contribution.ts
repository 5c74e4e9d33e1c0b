import type { Contribution } from '$lib/workbench/contribution';
import { ActionList } from './actionList.svelte';
import { ActionPick } from './actionPick.svelte';
import { ActionRuns } from './actionRuns';
import { ActionSaving } from './actionSaving.svelte';
import { savedActionCommands } from './commands';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:action': true;
    'overlay:saveAction': true;
    'settings:actions': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    /** Saved runs; `actions` are those of the tree. */
    readonly savedActions: ActionList;
    readonly actionPick: ActionPick;
    readonly actionRuns: ActionRuns;
    readonly actionSaving: ActionSaving;
  }
}

export const savedActions: Contribution = {
  id: 'savedActions',
  overlays: [
    { id: 'action', load: () => import('./RunActionOverlay.svelte') },
    { id: 'saveAction', isOpen: ({ actionSaving }) => actionSaving.source !== null, load: () => import('./SaveActionOverlay.svelte') },
  ],
  settingsSections: [
    { id: 'actions', label: 'Actions', about: 'Saved runs: a skill with its values and its model. Save one from the run panel or a playground.', order: 65, guide: 'actions', after: { load: () => import('./ActionsSettings.svelte') } },
  ],
  settings: () => import('./settings'),
  tasks,
  guidePages: [{ id: 'actions', order: 57, load: () => import('./guide/actions.md?raw') }],
  services: {
    savedActions: ({ client, feed, toasts, notifications }) => new ActionList(client, feed, toasts, notifications),
    actionPick: ({ savedActions }) => new ActionPick(savedActions),
    actionRuns: (services) => new ActionRuns(services),
    actionSaving: (services) =>
      new ActionSaving(services.savedActions, (action) =>
        services.toasts.show(`Saved action ${action.slug}`, { hint: action.warnings[0] ?? null, actions: [{ label: 'Run', run: () => services.actionRuns.start(action) }] }),
      ),
  },
  commands: savedActionCommands,
  lifecycle: ({ actionSaving, savedActions }) => ({
    reset: () => {
      savedActions.reset();
      actionSaving.close();
    },
  }),
};
