import type { Contribution } from '$lib/workbench/contribution';
import { Info } from './info.svelte';
import { followFront } from './inspected.svelte';
import { Preview } from './preview.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'inspector:preview': true;
    'inspector:info': true;
    'inspector:history': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly preview: Preview;
    readonly info: Info;
  }
}

export const inspector: Contribution = {
  id: 'inspector',
  inspectorTabs: [
    { id: 'preview', label: 'Preview', order: 10, guide: 'preview', load: () => import('./PreviewTab.svelte') },
    { id: 'info', label: 'Info', order: 50, guide: 'skills', load: () => import('./InfoTab.svelte') },
    { id: 'history', label: 'History', order: 60, guide: 'history', fallback: 'info', load: () => import('./HistoryTab.svelte') },
  ],
  guidePages: [
    { id: 'preview', order: 40, load: () => import('./guide/preview.md?raw') },
    { id: 'history', order: 100, load: () => import('./guide/history.md?raw') },
  ],
  services: {
    preview: ({ client, feed }) => new Preview(client, feed),
    info: ({ client }) => new Info(client),
  },
  lifecycle: (services) => ({ inspectorShown: () => followFront(services) }),
};
