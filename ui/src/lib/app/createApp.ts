import type { Platform } from '$lib/platform';
import type { Contribution } from '$lib/workbench/contribution';
import { Contributions } from '$lib/workbench/contributions';
import { Lifecycle } from '$lib/workbench/lifecycle.svelte';
import { createServices, type Services } from '$lib/workbench/services';
import { FEATURES } from './features';

/** Creates the services of the window from the contributions of all features. Throws if contributions are inconsistent. */
export function createApp(platform: Platform, features: readonly Contribution[] = FEATURES): Services {
  const contributions = new Contributions(features);
  const services = createServices(platform, [
    { contributions: () => contributions },
    { lifecycle: (all) => new Lifecycle(all, contributions.all('lifecycle').map((hooks) => hooks(all))) },
    ...contributions.all('services'),
  ]);
  services.commands.add(contributions.all('commands').flatMap((commands) => commands(services)));
  const pages = new Set(contributions.of('guidePages').map(({ id }) => id));
  contributions.check({ hasCommand: (id) => services.commands.get(id) !== undefined, hasGuidePage: (id) => pages.has(id) });
  return services;
}
