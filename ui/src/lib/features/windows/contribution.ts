import type { Contribution } from '$lib/workbench/contribution';
import { windowsCommands } from './commands';
import { WindowsController } from './windowsController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly windows: WindowsController;
  }
}

export const windows: Contribution = {
  id: 'windows',
  statusItems: [
    {
      id: 'zoom',
      side: 'right',
      order: 40,
      status: ({ windows: { zoom } }) => (zoom.percent === 100 ? null : { text: `${zoom.percent}%`, title: 'Reset zoom', isNumeric: true, run: () => zoom.reset() }),
    },
  ],
  settings: () => import('./settings'),
  services: { windows: (services) => new WindowsController(services) },
  commands: windowsCommands,
  lifecycle: (services) => ({ start: () => services.windows.start(), mounted: () => services.windows.follow() }),
};
