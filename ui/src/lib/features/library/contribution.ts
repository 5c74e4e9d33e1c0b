import type { Contribution } from '$lib/workbench/contribution';
import { libraryCommands } from './commands';
import { LibraryController } from './libraryController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly library: LibraryController;
  }
}

export const library: Contribution = {
  id: 'library',
  services: { library: (services) => new LibraryController(services) },
  commands: libraryCommands,
  lifecycle: (services) => ({ keep: () => services.library.keep(), reset: () => services.library.view?.reset() }),
};
