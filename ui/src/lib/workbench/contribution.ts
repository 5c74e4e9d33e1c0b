import type { Command } from '$lib/commands';
import type { LifecycleHooks } from './lifecycle.svelte';
import type { Providers, Services } from './services';

/** What a feature adds to the window. It is loaded with the window and must be light: whatever is drawn later is loaded by a function. */
export interface Contribution {
  id: string;
  services?: Providers;
  commands?: (services: Services) => readonly Command[];
  lifecycle?: (services: Services) => LifecycleHooks;
}
