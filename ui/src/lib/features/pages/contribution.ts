import type { Contribution } from '$lib/workbench/contribution';
import { pagesCommands } from './commands';
import { PagesController } from './pagesController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly pages: PagesController;
  }
}

export const pages: Contribution = {
  id: 'pages',
  services: { pages: (services) => new PagesController(services) },
  commands: pagesCommands,
  lifecycle: (services) => ({ reset: () => services.pages.view?.reset() }),
};
