import Icon from '@lucide/svelte/icons/library';
import type { Contribution } from '$lib/workbench/contribution';
import { libraryCommands } from './commands';
import { LibraryController } from './libraryController.svelte';
import type { SkillSection } from './skillSection';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:library': true;
  }
}

declare module '$lib/workbench/contribution' {
  interface Contribution {
    skillSections?: readonly SkillSection[];
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly library: LibraryController;
  }
}

export const library: Contribution = {
  id: 'library',
  views: [
    {
      id: 'library',
      isMain: true,
      title: 'Library',
      icon: Icon,
      order: 30,
      command: 'library.show',
      load: () => import('./LibraryView.svelte'),
      guide: 'library',
    },
  ],
  guidePages: [{ id: 'library', order: 130, load: () => import('./guide/library.md?raw') }],
  services: { library: (services) => new LibraryController(services) },
  commands: libraryCommands,
  lifecycle: (services) => ({ keep: () => services.library.keep(), reset: () => services.library.view?.reset() }),
};
