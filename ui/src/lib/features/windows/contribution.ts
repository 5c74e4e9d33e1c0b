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
  services: { windows: (services) => new WindowsController(services) },
  commands: windowsCommands,
  lifecycle: (services) => ({ start: () => services.windows.start() }),
};
