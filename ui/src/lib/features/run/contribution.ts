import { isExecutable } from '$lib/domain';
import type { Contribution } from '$lib/workbench/contribution';
import { GateApproval } from './gateApproval.svelte';
import { GateDecisions } from './gateDecisions.svelte';
import { RunViewModel } from './runViewModel.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'inspector:run': true;
    'overlay:gates': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly gateApproval: GateApproval;
    readonly gateDecisions: GateDecisions;
    readonly runView: RunViewModel;
  }
}

export const run: Contribution = {
  id: 'run',
  inspectorTabs: [{ id: 'run', label: 'Run', order: 20, guide: 'running', load: () => import('./RunTab.svelte') }],
  overlays: [{ id: 'gates', isOpen: ({ gateApproval }) => gateApproval.gates !== null, load: () => import('./GateOverlay.svelte') }],
  tasks,
  guidePages: [{ id: 'running', order: 50, load: () => import('./guide/running.md?raw') }],
  services: {
    gateApproval: () => new GateApproval(),
    gateDecisions: ({ client }) => new GateDecisions(client),
    runView: (services) =>
      new RunViewModel(services.client, services.feed, services.models, services.settings, services.preview, {
        document: () => (services.tabs.document?.status === 'ready' ? services.tabs.document : null),
        skill: () => services.context.skill,
        hasArtifacts: (skill) => services.catalog.details.get(skill)?.entries.some(({ artifact }) => artifact !== null && isExecutable(artifact.kind)) ?? false,
        save: (target) => services.documents.saveForRun(target, target.artifact === null ? null : [target.artifact]),
        trust: () => services.workspace.trust.ask('Trust and run'),
        approve: services.gateApproval.ask,
      }),
  },
  lifecycle: (services) => ({ keep: () => services.runView.planForm.form.flush() }),
};
