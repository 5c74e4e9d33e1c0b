import type { Contribution } from '$lib/workbench/contribution';
import { LogController } from './logController.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'panel:log': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly log: LogController;
  }
}

export const logs: Contribution = {
  id: 'logs',
  panelTabs: [{ id: 'log', label: 'Log', order: 40, load: () => import('./LogTab.svelte') }],
  settings: () => import('./settings'),
  services: { log: (services) => new LogController(services) },
};
