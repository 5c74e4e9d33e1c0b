import type { Contribution } from '$lib/workbench/contribution';
import { ClientChange } from './clientChange.svelte';
import { ClientList } from './clientList.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:clientChange': true;
    'settings:access': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    /** AI clients of this computer; `agents` are profiles for chats. */
    readonly aiClients: ClientList;
    readonly clientChange: ClientChange;
  }
}

export const access: Contribution = {
  id: 'access',
  overlays: [{ id: 'clientChange', isOpen: ({ clientChange }) => clientChange.subject !== null, load: () => import('./ClientChangeOverlay.svelte') }],
  settingsSections: [{ id: 'access', label: 'Access', order: 57, guide: 'access', after: { load: () => import('./AccessSettings.svelte') } }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'access', order: 127, load: () => import('./guide/access.md?raw') }],
  services: {
    aiClients: ({ client }) => new ClientList(client),
    clientChange: ({ client, aiClients, toasts }) =>
      new ClientChange(client, ({ title, hint }) => {
        toasts.show(title, { tone: 'ok', hint });
        void aiClients.load();
      }),
  },
  commands: ({ settingsPage }) => [
    { id: 'access.clients', group: 'View', title: 'Connect AI clients', inGuide: true, keywords: 'mcp server claude codex cursor vs code gemini install', run: () => settingsPage.open('access') },
  ],
  lifecycle: ({ aiClients, clientChange }) => ({
    reset: () => {
      aiClients.reset();
      clientChange.close();
    },
  }),
};
