import PanelRight from '@lucide/svelte/icons/panel-right';
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
  statusItems: [
    {
      id: 'inspector',
      side: 'right',
      order: 80,
      status: ({ commands, context, layout: { inspector, view } }) => {
        if (view !== 'editor' || (inspector.shown && (!context.isCrowded || inspector.isOver))) return null;
        const key = commands.keyOf('view.inspector');
        return { text: 'Inspector', title: key ? `Show inspector (${key})` : 'Show inspector', icon: PanelRight, run: () => inspector.focus() };
      },
    },
  ],
  guidePages: [
    { id: 'preview', order: 40, load: () => import('./guide/preview.md?raw') },
    { id: 'history', order: 100, load: () => import('./guide/history.md?raw') },
  ],
  services: {
    preview: ({ client, feed }) => new Preview(client, feed),
    info: ({ client }) => new Info(client),
  },
  lifecycle: (services) => ({ inspectorShown: () => followFront(services), keep: () => services.preview.form.flush() }),
};
