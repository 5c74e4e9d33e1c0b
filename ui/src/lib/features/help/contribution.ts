import Icon from '@lucide/svelte/icons/circle-question-mark';
import type { Contribution } from '$lib/workbench/contribution';
import { HelpController } from './helpController.svelte';
import type { GuideSource } from './pages';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:help': true;
  }
}

declare module '$lib/workbench/contribution' {
  interface Contribution {
    guidePages?: readonly GuideSource[];
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly help: HelpController;
  }
}

export const help: Contribution = {
  id: 'help',
  views: [
    {
      id: 'help',
      isMain: true, closesOnEscape: true,
      title: 'Help',
      icon: Icon,
      order: 90,
      command: 'help.here',
      load: () => import('./HelpView.svelte'),
    },
  ],
  guidePages: [
    { id: 'start', order: 10, load: () => import('./guide/start.md?raw') },
    { id: 'privacy', order: 170, load: () => import('./guide/privacy.md?raw') },
    { id: 'rules', order: 180, load: () => import('./guide/18-rules.md?raw') },
    { id: 'trouble', order: 185, load: () => import('./guide/trouble.md?raw') },
    { id: 'about', order: 190, load: () => import('./guide/about.md?raw') },
    { id: 'third-party', order: 200, load: () => import('./guide/20-third-party.md?raw') },
  ],
  services: { help: (services) => new HelpController(services) },
};
