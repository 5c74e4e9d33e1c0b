import type { Contribution } from '$lib/workbench/contribution';
import { FixesController } from './fixesController.svelte';
import { Problems } from './problems.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly problems: Problems;
    readonly fixes: FixesController;
  }
}

export const problems: Contribution = {
  id: 'problems',
  services: {
    problems: (services) =>
      new Problems(services.client, services.feed, services.catalog, {
        files: () =>
          services.tabs.documents
            .filter((document) => document.status === 'ready' && document.saved !== null)
            .map(({ scope, skillId, path, diagnostics }) => ({ scope, id: skillId, path, diagnostics })),
        show: (problem) => services.files.showProblem(problem),
      }),
    fixes: (services) => new FixesController(services),
  },
  lifecycle: (services) => ({ reset: () => services.problems.checks.reset(), idle: () => services.problems.checks.start() }),
};
