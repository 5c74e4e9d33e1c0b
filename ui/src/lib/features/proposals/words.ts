import type { ProposalKind, ProposalStatus } from '$lib/wire';

export const STATUS_WORDS: Record<ProposalStatus, string> = { open: 'Open', accepted: 'Accepted', rejected: 'Rejected' };

export const KIND_WORDS: Record<ProposalKind, string> = { composer: 'Composer', optimisation: 'Optimisation', learned: 'Learned from runs', merge: 'Merge' };
