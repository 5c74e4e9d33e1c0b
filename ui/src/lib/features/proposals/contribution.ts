import Icon from '@lucide/svelte/icons/inbox';
import type { Contribution } from '$lib/workbench/contribution';

export const proposals: Contribution = {
  id: 'proposals',
  views: [
    {
      id: 'proposals',
      title: 'Proposals',
      icon: Icon,
      order: 60,
      command: 'proposal.show',
      load: () => import('./ProposalsView.svelte'),
      guide: 'programs',
      badge: ({ dspy }) => (dspy.proposals.open === 0 ? null : { count: dspy.proposals.open, label: `${dspy.proposals.open} open` }),
    },
  ],
};
