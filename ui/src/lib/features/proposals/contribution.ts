import Icon from '@lucide/svelte/icons/inbox';
import type { Contribution } from '$lib/workbench/contribution';
import { proposalCommands } from './commands';
import { ProposalsController } from './proposalsController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly proposals: ProposalsController;
  }
}

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:proposals': true;
    'overlay:decide': true;
  }
}

export const proposals: Contribution = {
  id: 'proposals',
  overlays: [{ id: 'decide', isOpen: ({ proposals }) => proposals.pending !== null, load: () => import('./DecideOverlay.svelte') }],
  views: [
    {
      id: 'proposals',
      isMain: true,
      title: 'Proposals',
      icon: Icon,
      order: 60,
      command: 'proposal.show',
      load: () => import('./ProposalsView.svelte'),
      guide: 'programs',
      badge: ({ proposals: { list } }) => (list.openCount === 0 ? null : { count: list.openCount, label: `${list.openCount} open` }),
    },
  ],
  services: { proposals: (services) => new ProposalsController(services) },
  commands: proposalCommands,
  lifecycle: (services) => ({ reset: () => services.proposals.reset() }),
};
