import type { Contribution } from '$lib/workbench/contribution';
import { dataCommands } from './commands';
import { DatabaseController } from './databaseController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly databases: DatabaseController;
  }
}

export const databases: Contribution = {
  id: 'databases',
  services: { databases: (services) => new DatabaseController(services) },
  commands: dataCommands,
  lifecycle: (services) => ({ started: () => services.databases.start() }),
};
