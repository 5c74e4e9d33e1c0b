import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'layout' | 'proposals'>;

export function proposalCommands({ layout, proposals }: Needs): Command[] {
  const isOpen = (): boolean => layout.view === 'proposals' && proposals.list.selection.proposal?.status === 'open';

  return [
    { id: 'proposal.show', group: 'Proposals', title: 'Show proposals', inGuide: true, keys: ['Ctrl+Alt+R'], keywords: 'review accept reject inbox', run: () => proposals.open() },
    { id: 'proposal.accept', group: 'Proposals', title: 'Accept proposal', keys: ['Ctrl+Alt+Enter'], when: isOpen, run: () => proposals.decide('accept') },
    { id: 'proposal.reject', group: 'Proposals', title: 'Reject proposal', keys: ['Ctrl+Alt+X'], when: isOpen, run: () => proposals.decide('reject') },
  ];
}
