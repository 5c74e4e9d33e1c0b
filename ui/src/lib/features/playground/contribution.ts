import Icon from '@lucide/svelte/icons/flask-conical';
import type { FileView } from '$lib/features/editor';
import type { Contribution } from '$lib/workbench/contribution';
import { playgroundCommands } from './commands';
import { PlaygroundController } from './playgroundController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly playground: PlaygroundController;
  }
}

const view: FileView = { id: 'playground', label: 'Playground', icon: Icon, guide: 'playground', load: () => import('./PlaygroundView.svelte') };

export const playground: Contribution = {
  id: 'playground',
  fileViews: [view],
  services: { playground: (services) => new PlaygroundController(services, view) },
  guidePages: [{ id: 'playground', order: 55, load: () => import('./guide/playground.md?raw') }],
  commands: playgroundCommands,
  lifecycle: (services) => ({ keep: () => services.playground.keep(), reset: () => services.playground.reset() }),
};
