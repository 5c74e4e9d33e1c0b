import type { Contribution } from '$lib/workbench/contribution';
import { goCommands } from './commands';
import { Palette } from './palette.svelte';
import { QuickOpen } from './quickOpen.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly palette: Palette;
    readonly quickOpen: QuickOpen;
  }
}

export const palette: Contribution = {
  id: 'palette',
  services: {
    palette: (services) => new Palette(services),
    quickOpen: (services) => new QuickOpen(services.client, () => services.files.recent),
  },
  commands: goCommands,
};
