import { loadedText } from '$lib/features/editor';
import type { Contribution } from '$lib/workbench/contribution';
import { FixesController } from './fixesController.svelte';
import { Problems } from './problems.svelte';
import ProblemsStatusItem from './ProblemsStatusItem.svelte';
import ProblemsTab from './ProblemsTab.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'panel:problems': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly problems: Problems;
    readonly fixes: FixesController;
  }
}

export const problems: Contribution = {
  id: 'problems',
  panelTabs: [{ id: 'problems', label: 'Problems', order: 10, component: ProblemsTab, count: ({ problems }) => problems.list.length }],
  statusItems: [{ id: 'problems', side: 'right', order: 70, component: ProblemsStatusItem }],
  services: {
    problems: (services) =>
      new Problems(services.client, services.feed, services.catalog, {
        files: () =>
          services.tabs.documents.list
            .filter((document) => loadedText(document))
            .map(({ file, diagnostics }) => ({ ...file.skill, path: file.path, diagnostics: diagnostics.list })),
        show: (problem) => services.files.showProblem(problem),
      }),
    fixes: (services) => new FixesController(services),
  },
  lifecycle: (services) => ({ reset: () => services.problems.checks.reset(), idle: () => services.problems.checks.start() }),
};
