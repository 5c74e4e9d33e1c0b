import { ViewRequest } from '$lib/components';
import type { Contribution } from '$lib/workbench/contribution';
import { AuditLog } from './auditLog.svelte';
import { ClientChange } from './clientChange.svelte';
import { ClientList } from './clientList.svelte';
import { accessCommands } from './commands';
import { LocalServer } from './server.svelte';
import { ServerSettings } from './serverSettings.svelte';
import { TokenCreation } from './tokenCreation.svelte';
import { TokenList } from './tokens.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:clientChange': true;
    'overlay:newToken': true;
    'overlay:revokeToken': true;
    'settings:access': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    /** AI clients of this computer; `agents` are profiles for chats. */
    readonly aiClients: ClientList;
    readonly clientChange: ClientChange;
    readonly localServer: LocalServer;
    readonly serverSettings: ServerSettings;
    /** Scrolls the page to the server. */
    readonly serverView: ViewRequest;
    readonly tokens: TokenList;
    readonly tokenCreation: TokenCreation;
    readonly auditLog: AuditLog;
  }
}

export const access: Contribution = {
  id: 'access',
  overlays: [
    { id: 'clientChange', isOpen: ({ clientChange }) => clientChange.subject !== null, load: () => import('./ClientChangeOverlay.svelte') },
    { id: 'newToken', isOpen: ({ tokenCreation }) => tokenCreation.isOpen, load: () => import('./TokenOverlay.svelte') },
    { id: 'revokeToken', isOpen: ({ tokens }) => tokens.revoking !== null, load: () => import('./RevokeOverlay.svelte') },
  ],
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
    serverView: () => new ViewRequest(),
    serverSettings: ({ settings }) => new ServerSettings(settings),
    localServer: ({ client, serverSettings, workspace }) => new LocalServer(client, serverSettings, () => workspace.current?.path ?? null),
    tokens: ({ client, toasts }) => new TokenList(client, ({ name }) => toasts.show(`Revoked ${name}`, { tone: 'ok' })),
    tokenCreation: ({ client, tokens }) => new TokenCreation(client, () => void tokens.load()),
    auditLog: ({ client }) => new AuditLog(client),
  },
  commands: accessCommands,
  lifecycle: ({ aiClients, clientChange }) => ({
    reset: () => {
      aiClients.reset();
      clientChange.close();
    },
  }),
};
