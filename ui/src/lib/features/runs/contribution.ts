import Icon from '@lucide/svelte/icons/history';
import type { Contribution } from '$lib/workbench/contribution';
import { runsCommands } from './commands';
import { RunsController } from './runsController.svelte';
import { RunsViewModel } from './runsViewModel.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:runs': true;
    'overlay:deleteRuns': true;
    'overlay:exportRuns': true;
    'settings:runs': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly runs: RunsController;
    readonly runsView: RunsViewModel;
  }
}

export const runs: Contribution = {
  id: 'runs',
  overlays: [
    { id: 'deleteRuns', isOpen: ({ runsView }) => runsView.deleting !== null, load: () => import('./DeleteRunsOverlay.svelte'), preload: true },
    {
      id: 'exportRuns',
      isOpen: ({ overlays, runsView }) => runsView.exporter.open && overlays.current === null,
      load: () => import('./ExportRunsOverlay.svelte'),
      preload: true,
    },
  ],
  views: [
    {
      id: 'runs',
      isMain: true,
      title: 'Runs',
      icon: Icon,
      order: 50,
      command: 'run.list',
      load: () => import('./RunsView.svelte'),
      guide: 'running',
    },
  ],
  settingsSections: [{ id: 'runs', label: 'Runs', about: 'Old runs are deleted at startup, or when their workspace opens.', order: 60, guide: 'running' }],
  settings: () => import('./settings'),
  tasks,
  services: {
    runs: (services) => new RunsController(services),
    runsView: ({ client, feed, gateApproval }) => new RunsViewModel(client, feed, gateApproval.ask),
  },
  commands: runsCommands,
  lifecycle: (services) => ({ mounted: () => services.runs.followTrust(), reset: () => services.runsView.reset() }),
};
