import type { Contribution } from '$lib/workbench/contribution';
import { externalCommands } from './commands';
import { External } from './external.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:address': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly external: External;
  }
}

/** What other programs open: addresses and folders. */
export const external: Contribution = {
  id: 'external',
  overlays: [{ id: 'address', isOpen: ({ external }) => external.asked !== null, load: () => import('./AddressOverlay.svelte') }],
  services: { external: (services) => new External(services) },
  commands: externalCommands,
};
