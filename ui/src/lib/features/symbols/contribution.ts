import type { Contribution } from '$lib/workbench/contribution';
import { symbolsCommands } from './commands';
import { SymbolsController } from './symbolsController.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'panel:references': true;
    'inspector:outline': true;
    'overlay:symbol': true;
    'overlay:rename': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly symbols: SymbolsController;
  }
}

export const symbols: Contribution = {
  id: 'symbols',
  panelTabs: [
    { id: 'references', label: 'References', order: 20, load: () => import('./ReferencesTab.svelte'), count: ({ symbols }) => symbols.view?.references.count ?? 0 },
  ],
  inspectorTabs: [{ id: 'outline', label: 'Outline', order: 40, guide: 'editing', fallback: 'run', load: () => import('./OutlineTab.svelte') }],
  overlays: [
    {
      id: 'symbol',
      isOpen: ({ overlays, symbols }) => overlays.current === 'symbol' && symbols.view?.outline.source != null,
      load: () => import('./SymbolOverlay.svelte'),
    },
    { id: 'rename', isOpen: ({ symbols }) => symbols.view?.renaming.target != null, load: () => import('./RenameOverlay.svelte') },
  ],
  services: { symbols: (services) => new SymbolsController(services) },
  commands: symbolsCommands,
  lifecycle: (services) => ({ reset: () => services.symbols.reset() }),
};
