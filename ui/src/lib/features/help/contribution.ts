import type { Contribution } from '$lib/workbench/contribution';
import { HelpController } from './helpController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly help: HelpController;
  }
}

export const help: Contribution = {
  id: 'help',
  services: { help: (services) => new HelpController(services) },
};
