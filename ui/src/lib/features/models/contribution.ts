import Icon from '@lucide/svelte/icons/bot';
import { Models } from '$lib/api';
import type { Contribution } from '$lib/workbench/contribution';
import { ModelChooser } from './modelChooser';
import { ModelSettings } from './modelSettings.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:model': true;
    'overlay:provider': true;
    'settings:models': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly models: Models;
    readonly modelSettings: ModelSettings;
    readonly modelChooser: ModelChooser;
  }
}

export const models: Contribution = {
  id: 'models',
  overlays: [
    { id: 'model', load: () => import('./ModelOverlay.svelte'), preload: true },
    { id: 'provider', isOpen: ({ modelSettings }) => modelSettings.form !== null, load: () => import('./ProviderOverlay.svelte') },
  ],
  statusItems: [
    {
      id: 'model',
      side: 'right',
      order: 60,
      status: ({ modelChooser, models, settingsPage }) => ({
        text: models.setup ? (models.default ?? 'No model') : '…',
        title: models.setup && models.default === null ? 'Set up a model' : 'Choose default model',
        icon: Icon,
        shrinks: true,
        run: () => (models.default === null ? settingsPage.open('models') : modelChooser.ask()),
      }),
    },
  ],
  settingsSections: [{ id: 'models', label: 'Models', order: 50, guide: 'models', after: { load: () => import('./ModelsSettings.svelte') } }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'models', order: 80, load: () => import('./guide/models.md?raw') }],
  services: {
    models: ({ client, feed }) => new Models(client, feed),
    modelSettings: (services) => new ModelSettings(services.client, services.models),
    modelChooser: (services) => new ModelChooser(services),
  },
  lifecycle: (services) => ({ connected: () => services.models.load() }),
};
