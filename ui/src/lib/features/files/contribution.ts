import type { Contribution } from '$lib/workbench/contribution';
import { filesCommands } from './commands';
import { FilesController } from './filesController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly files: FilesController;
  }
}

export const files: Contribution = {
  id: 'files',
  services: { files: (services) => new FilesController(services) },
  commands: filesCommands,
};
