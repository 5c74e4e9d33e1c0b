import type { Contribution } from '$lib/workbench/contribution';
import { LogController } from './logController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly log: LogController;
  }
}

export const logs: Contribution = {
  id: 'logs',
  services: { log: (services) => new LogController(services) },
};
