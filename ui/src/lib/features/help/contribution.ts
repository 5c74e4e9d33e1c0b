import Icon from '@lucide/svelte/icons/circle-question-mark';
import type { Contribution } from '$lib/workbench/contribution';
import { HelpController } from './helpController.svelte';

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
      title: 'Help',
      icon: Icon,
      order: 90,
      command: 'help.here',
      load: () => import('./HelpView.svelte'),
    },
  ],
  services: { help: (services) => new HelpController(services) },
};
