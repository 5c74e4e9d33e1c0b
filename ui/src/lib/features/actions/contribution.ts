import type { Contribution } from '$lib/workbench/contribution';
import { Actions } from './actions.svelte';
import { AgentsController } from './agentsController.svelte';
import { Exporter } from './exporter.svelte';
import { Importer } from './importer.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly actions: Actions;
    readonly exporter: Exporter;
    readonly importer: Importer;
    readonly agents: AgentsController;
  }
}

export const actions: Contribution = {
  id: 'actions',
  services: {
    actions: (services) =>
      new Actions(services.client, services.catalog, services.toasts, {
        open: (key, path) => services.files.open(key, path),
        arrived: (skill, paths) => services.treeActions.arrived(skill, paths),
        moved: (key, from, to) => services.tabs.moved(key, from, to),
        closed: (key, path) => services.tabs.closeOf(key, path),
        keep: () => services.tabs.keepAll(),
        isDirty: ({ scope, id }, path) => services.tabs.documentOf({ scope, skillId: id, path })?.dirty ?? false,
      }),
    exporter: ({ client }) => new Exporter(client),
    importer: (services) => new Importer(services.client, services.catalog, () => services.workspace.current?.writable === true),
    agents: (services) => new AgentsController(services),
  },
  lifecycle: (services) => ({ reset: () => services.actions.journal.clear() }),
};
