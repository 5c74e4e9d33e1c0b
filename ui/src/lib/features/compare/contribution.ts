import type { Contribution } from '$lib/workbench/contribution';
import { compareCommands } from './commands';
import { CompareController } from './compareController.svelte';
import { HistoryController } from './historyController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly compare: CompareController;
    readonly history: HistoryController;
  }
}

export const compare: Contribution = {
  id: 'compare',
  services: { compare: (services) => new CompareController(services), history: (services) => new HistoryController(services) },
  commands: compareCommands,
  lifecycle: (services) => ({
    reset: () => {
      services.compare.chosen = null;
      services.history.list?.follow(null);
    },
  }),
};
