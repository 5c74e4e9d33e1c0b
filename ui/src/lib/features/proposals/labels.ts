import type { ProposalKind, ProposalStatus } from '$lib/api/generated';

export const STATUS_LABELS: Record<ProposalStatus, string> = { open: 'Open', accepted: 'Accepted', rejected: 'Rejected' };

export const KIND_LABELS: Record<ProposalKind, string> = { composer: 'Composer', optimisation: 'Optimization', learned: 'Learned from runs', merge: 'Merge' };

/** The labels of optimizers, since the process has its own only while it runs. */
const OPTIMISERS: Record<string, string> = {
  labeled_few_shot: 'Labeled few-shot',
  bootstrap_few_shot: 'Bootstrap few-shot',
  bootstrap_few_shot_random_search: 'Bootstrap few-shot with random search',
  copro: 'COPRO',
  gepa: 'GEPA',
  infer_rules: 'Infer rules',
};

export const optimizerName = (id: string): string => OPTIMISERS[id] ?? id.replaceAll('_', ' ');
