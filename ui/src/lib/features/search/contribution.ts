import Icon from '@lucide/svelte/icons/search';
import type { Contribution } from '$lib/workbench/contribution';
import { searchCommands } from './commands';
import { SearchController } from './searchController.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'sidebar:search': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly search: SearchController;
  }
}

export const search: Contribution = {
  id: 'search',
  views: [
    {
      id: 'search',
      isMain: false,
      title: 'Search',
      label: 'Search',
      icon: Icon,
      order: 20,
      command: 'search.show',
      load: () => import('./SearchView.svelte'),
      show: ({ search }) => search.show(),
      guide: 'search',
    },
  ],
  tasks,
  guidePages: [{ id: 'search', order: 110, load: () => import('./guide/search.md?raw') }],
  services: { search: (services) => new SearchController(services) },
  commands: searchCommands,
  lifecycle: (services) => ({ reset: () => services.search.view?.search.reset() }),
};
