import Icon from '@lucide/svelte/icons/file-text';
import type { Contribution } from '$lib/workbench/contribution';
import { pagesCommands } from './commands';
import { PagesController } from './pagesController.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:pages': true;
    'overlay:page': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly pages: PagesController;
  }
}

export const pages: Contribution = {
  id: 'pages',
  overlays: [{ id: 'page', isOpen: ({ overlays, pages }) => overlays.current === 'page' && pages.view !== null, load: () => import('./PageOverlay.svelte') }],
  views: [
    {
      id: 'pages',
      isMain: true,
      title: 'Pages',
      icon: Icon,
      order: 40,
      command: 'page.show',
      load: () => import('./PagesView.svelte'),
      guide: 'pages',
    },
  ],
  tasks,
  guidePages: [{ id: 'pages', order: 135, load: () => import('./guide/pages.md?raw') }],
  services: { pages: (services) => new PagesController(services) },
  commands: pagesCommands,
  lifecycle: (services) => ({ reset: () => services.pages.view?.reset() }),
};
