import Icon from '@lucide/svelte/icons/file-text';
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
  views: [
    {
      id: 'pages',
      title: 'Pages',
      icon: Icon,
      order: 40,
      command: 'page.show',
      load: () => import('./PagesView.svelte'),
      guide: 'pages',
    },
  ],
  services: { pages: (services) => new PagesController(services) },
  commands: pagesCommands,
  lifecycle: (services) => ({ reset: () => services.pages.view?.reset() }),
};
