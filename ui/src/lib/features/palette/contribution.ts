import type { Contribution } from '$lib/workbench/contribution';
import { goCommands } from './commands';
import { Palette } from './palette.svelte';
import { QuickOpen } from './quickOpen.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:commands': true;
    'overlay:quick': true;
    'overlay:folder': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly palette: Palette;
    readonly quickOpen: QuickOpen;
  }
}

export const palette: Contribution = {
  id: 'palette',
  overlays: [
    { id: 'commands', load: () => import('./CommandsOverlay.svelte'), preload: true },
    { id: 'quick', load: () => import('./QuickOpenOverlay.svelte'), preload: true },
    {
      id: 'folder',
      isOpen: ({ folders, overlays }) => overlays.current === 'folder' && folders.request !== null,
      load: () => import('./FolderOverlay.svelte'),
      preload: true,
    },
  ],
  services: {
    palette: (services) => new Palette(services),
    quickOpen: (services) => new QuickOpen(services.client, () => services.files.recent),
  },
  commands: goCommands,
};
