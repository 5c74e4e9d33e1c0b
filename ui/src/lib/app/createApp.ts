import type { Platform } from '$lib/platform';
import { Lifecycle } from '$lib/workbench/lifecycle.svelte';
import { createServices, type Services } from '$lib/workbench/services';
import { FEATURES } from './features';

/** Makes all parts of the window out of what the features contribute. */
export function createApp(platform: Platform): Services {
  const services = createServices(platform, [
    { views: () => FEATURES.flatMap((one) => one.views ?? []).sort((a, b) => a.order - b.order) },
    { lifecycle: (all) => new Lifecycle(all, FEATURES.flatMap((one) => one.lifecycle?.(all) ?? [])) },
    ...FEATURES.flatMap((one) => one.services ?? []),
  ]);
  services.commands.add(FEATURES.flatMap((one) => one.commands?.(services) ?? []));
  return services;
}
