import type { Contribution } from '$lib/workbench/contribution';
import { symbolsCommands } from './commands';
import { SymbolsController } from './symbolsController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly symbols: SymbolsController;
  }
}

export const symbols: Contribution = {
  id: 'symbols',
  services: { symbols: (services) => new SymbolsController(services) },
  commands: symbolsCommands,
  lifecycle: (services) => ({ reset: () => services.symbols.reset() }),
};
