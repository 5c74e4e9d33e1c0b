import { Models } from '$lib/api';
import type { Contribution } from '$lib/workbench/contribution';
import { ModelChooser } from './modelChooser';
import { ModelSettings } from './modelSettings.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly models: Models;
    readonly modelSettings: ModelSettings;
    readonly modelChooser: ModelChooser;
  }
}

export const models: Contribution = {
  id: 'models',
  services: {
    models: ({ client, feed }) => new Models(client, feed),
    modelSettings: (services) => new ModelSettings(services.client, services.models),
    modelChooser: (services) => new ModelChooser(services),
  },
  lifecycle: (services) => ({ connected: () => services.models.load() }),
};
