import { Catalog, Client, ChangeFeed, Settings } from '$lib/api';
import { Commands } from '$lib/commands';
import { holdSelection, MenuState, Toasts } from '$lib/components';
import { Clipboard } from '$lib/workbench/clipboard';
import { Context } from '$lib/workbench/context.svelte';
import type { Contribution } from '$lib/workbench/contribution';
import type { Contributions } from '$lib/workbench/contributions';
import { Layout } from '$lib/workbench/layout.svelte';
import type { Lifecycle } from '$lib/workbench/lifecycle.svelte';
import { Notifications } from '$lib/workbench/notifications';
import { Overlays } from '$lib/workbench/overlays.svelte';
import { viewCommands } from './viewCommands';

declare module '$lib/workbench/services' {
  interface Services {
    readonly client: Client;
    readonly feed: ChangeFeed;
    readonly settings: Settings;
    readonly catalog: Catalog;
    readonly commands: Commands;
    readonly toasts: Toasts;
    readonly contextMenu: MenuState;
    readonly notifications: Notifications;
    readonly clipboard: Clipboard;
    readonly overlays: Overlays;
    readonly layout: Layout;
    readonly context: Context;
    readonly lifecycle: Lifecycle;
    readonly contributions: Contributions;
  }
}

/** The services that belong to no feature. */
export const workbench: Contribution = {
  id: 'workbench',
  services: {
    client: ({ platform }) => new Client(platform),
    feed: () => new ChangeFeed(),
    settings: ({ client, feed }) => new Settings(client, feed),
    catalog: ({ client, feed }) => new Catalog(client, feed),
    commands: () => new Commands(),
    toasts: () => new Toasts(),
    contextMenu: () => new MenuState(),
    notifications: ({ toasts }) => new Notifications(toasts),
    clipboard: ({ platform, toasts, notifications }) => new Clipboard(platform, toasts, notifications),
    overlays: () => new Overlays(),
    layout: ({ contributions, settings }) =>
      new Layout(settings, {
        panel: contributions.of('panelTabs').map(({ id }) => id),
        inspector: contributions.of('inspectorTabs').map(({ id }) => id),
        sidebar: contributions.of('views').flatMap((view) => (view.isMain ? [] : [view.id])),
      }),
    context: (services) => new Context(services),
  },
  commands: viewCommands,
  lifecycle: () => ({ mounted: () => holdSelection() }),
};
