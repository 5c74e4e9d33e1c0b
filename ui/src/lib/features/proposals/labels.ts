import type { Proposal, ProposalKind, ProposalStatus } from '$lib/api/generated';
import { isRecord } from '$lib/domain';

export const STATUS_LABELS: Record<ProposalStatus, string> = { open: 'Open', accepted: 'Accepted', rejected: 'Rejected' };

const KIND_LABELS: Record<ProposalKind, string> = { composer: 'Composer', optimisation: 'Optimization', learned: 'Learned from runs', merge: 'Merge' };

/** Of an update of the original too, which is merged into a copy as a composition. */
export function kindLabel({ proposal_kind, body }: Pick<Proposal, 'proposal_kind' | 'body'>): string {
  const isUpdate = isRecord(body) && isRecord(body['original']);
  return isUpdate ? 'Update of the original' : KIND_LABELS[proposal_kind];
}

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
