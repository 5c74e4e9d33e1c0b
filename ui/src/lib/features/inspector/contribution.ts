import type { Contribution } from '$lib/workbench/contribution';
import { Info } from './info.svelte';
import { Preview } from './preview.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly preview: Preview;
    readonly info: Info;
  }
}

export const inspector: Contribution = {
  id: 'inspector',
  services: {
    preview: ({ client, feed }) => new Preview(client, feed),
    info: ({ client }) => new Info(client),
  },
};
