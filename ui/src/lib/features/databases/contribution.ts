import type { Contribution } from '$lib/workbench/contribution';
import { dataCommands } from './commands';
import { DatabaseController, reportRestore } from './databaseController.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:restore': true;
    'settings:data': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly databases: DatabaseController;
  }
}

export const databases: Contribution = {
  id: 'databases',
  overlays: [
    {
      id: 'restore',
      isOpen: ({ databases, overlays }) => databases.restoring !== null && overlays.current === null,
      load: () => import('./RestoreOverlay.svelte'),
    },
  ],
  settingsSections: [{ id: 'data', label: 'Data', about: 'Your data is stored on this computer. Prompts go only to the model providers you add.', order: 100, guide: 'privacy' }],
  settings: () => import('./settings'),
  tasks,
  services: { databases: (services) => new DatabaseController(services) },
  commands: dataCommands,
  lifecycle: (services) => ({ started: () => reportRestore(services.toasts) }),
};
