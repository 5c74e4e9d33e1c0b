import Icon from '@lucide/svelte/icons/search';
import type { Contribution } from '$lib/workbench/contribution';
import { searchCommands } from './commands';
import { SearchController } from './searchController.svelte';

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
      title: 'Search',
      icon: Icon,
      order: 20,
      command: 'search.show',
      show: ({ search }) => search.show(),
      guide: 'search',
    },
  ],
  services: { search: (services) => new SearchController(services) },
  commands: searchCommands,
  lifecycle: (services) => ({ reset: () => services.search.view?.search.reset() }),
};
