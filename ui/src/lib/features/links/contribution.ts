import type { Contribution } from '$lib/workbench/contribution';
import { Links } from './links.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly links: Links;
  }
}

export const links: Contribution = {
  id: 'links',
  services: { links: ({ client, feed }) => new Links(client, feed) },
  lifecycle: (services) => ({
    opened: () => {
      services.links.reload();
      return Promise.resolve();
    },
  }),
};
