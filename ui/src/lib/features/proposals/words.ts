import type { ProposalKind, ProposalStatus } from '$lib/api/generated';

export const STATUS_WORDS: Record<ProposalStatus, string> = { open: 'Open', accepted: 'Accepted', rejected: 'Rejected' };

export const KIND_WORDS: Record<ProposalKind, string> = { composer: 'Composer', optimisation: 'Optimization', learned: 'Learned from runs', merge: 'Merge' };

/** What the form calls an optimizer; its own list is only known while the process runs. */
const OPTIMISERS: Record<string, string> = {
  labeled_few_shot: 'Labeled few-shot',
  bootstrap_few_shot: 'Bootstrap few-shot',
  bootstrap_few_shot_random_search: 'Bootstrap few-shot with random search',
  copro: 'COPRO',
  gepa: 'GEPA',
  infer_rules: 'Infer rules',
};

export const optimizerName = (id: string): string => OPTIMISERS[id] ?? id.replaceAll('_', ' ');
