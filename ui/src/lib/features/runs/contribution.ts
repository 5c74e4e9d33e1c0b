import Icon from '@lucide/svelte/icons/history';
import type { Contribution } from '$lib/workbench/contribution';
import { runsCommands } from './commands';
import { RunsController } from './runsController.svelte';
import { RunsViewModel } from './runsViewModel.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly runs: RunsController;
    readonly runsView: RunsViewModel;
  }
}

export const runs: Contribution = {
  id: 'runs',
  views: [
    {
      id: 'runs',
      title: 'Runs',
      icon: Icon,
      order: 50,
      command: 'run.list',
      load: () => import('./RunsView.svelte'),
      guide: 'running',
    },
  ],
  services: {
    runs: (services) => new RunsController(services),
    runsView: ({ client, feed }) => new RunsViewModel(client, feed),
  },
  commands: runsCommands,
  lifecycle: (services) => ({ reset: () => services.runsView.reset() }),
};
