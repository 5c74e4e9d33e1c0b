import type { Contribution } from '$lib/workbench/contribution';
import { compareCommands } from './commands';
import { CompareController } from './compareController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly compare: CompareController;
  }
}

export const compare: Contribution = {
  id: 'compare',
  services: { compare: (services) => new CompareController(services) },
  commands: compareCommands,
  lifecycle: (services) => ({ reset: () => services.compare.reset() }),
};
