import type { Contribution } from '$lib/workbench/contribution';
import { linkCommands } from './commands';
import { LinkActions } from './linkActions';
import { Links } from './links.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly links: Links;
    readonly linkActions: LinkActions;
  }
}

export const links: Contribution = {
  id: 'links',
  services: {
    links: ({ client, feed }) => new Links(client, feed),
    linkActions: (services) => new LinkActions(services),
  },
  commands: linkCommands,
  lifecycle: (services) => ({
    opened: () => {
      services.links.reload();
      return Promise.resolve();
    },
  }),
};
