import type { SkillKey } from '$lib/api';
import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'layout' | 'proposals' | 'tabs'>;

export function proposalCommands({ context, layout, proposals, tabs }: Needs): Command[] {
  const isOpen = (): boolean => layout.view === 'proposals' && proposals.list.selection.proposal?.status === 'open';
  /** The prompt in the editor. */
  const prompt = (): { key: SkillKey; path: string } | null => {
    const file = tabs.document?.file;
    return file?.entry?.artifact?.kind === 'prompt_template' ? { key: { id: file.key.skillId, scope: file.key.scope }, path: file.path } : null;
  };

  return [
    { id: 'proposal.show', group: 'Proposals', title: 'Show proposals', inGuide: true, keys: ['Ctrl+Alt+R'], keywords: 'review accept reject inbox', run: () => proposals.open() },
    { id: 'proposal.accept', group: 'Proposals', title: 'Accept proposal', keys: ['Ctrl+Alt+Enter'], when: isOpen, run: () => proposals.decide('accept') },
    { id: 'proposal.reject', group: 'Proposals', title: 'Reject proposal', keys: ['Ctrl+Alt+X'], when: isOpen, run: () => proposals.decide('reject') },
    {
      id: 'proposal.rebase',
      group: 'Proposals',
      title: 'Merge proposal with the present skill',
      keywords: 'rebase update stale conflict',
      when: () => isOpen() && proposals.review.review?.stale === true,
      run: () => void proposals.review.rebase(),
    },
    {
      id: 'proposal.wrap',
      group: 'DSPy',
      title: 'Wrap prompt as DSPy module',
      keywords: 'dspy program optimize propose',
      when: () => context.inEditor() && prompt() !== null,
      run: () => {
        const found = prompt();
        if (found) void proposals.wrap(found.key, found.path);
      },
    },
  ];
}
