import type { Contribution } from '$lib/workbench/contribution';
import { startCommands } from './commands';
import { Samples } from './samples';
import StartPage from './StartPage.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly samples: Samples;
  }
}

/** What the editor area shows while no tab is open. */
export const start: Contribution = {
  id: 'start',
  welcome: [{ id: 'start', component: StartPage }],
  services: { samples: (services) => new Samples(services) },
  commands: startCommands,
};
