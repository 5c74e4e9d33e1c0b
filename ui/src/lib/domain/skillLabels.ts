import type { Lifecycle, Origin, PathChange, Source } from '$lib/api/generated';

export const LIFECYCLE_LABELS: Record<Lifecycle, string> = {
  candidate: 'Candidate',
  verified: 'Verified',
  released: 'Released',
  degraded: 'Degraded',
  deprecated: 'Deprecated',
  archived: 'Archived',
};

export const SOURCE_LABELS: Record<Source, string> = {
  system: 'Built-in',
  community: 'Registry',
  imported: 'Linked import',
  user: 'Yours',
};

export const ORIGIN_LABELS: Record<Origin, string> = { human: 'Human-written', llm: 'AI-generated' };

/** By tier. */
export const TRUST_LABELS: Record<number, string> = { 1: 'Unreviewed', 2: 'Community', 3: 'Verified', 4: 'Built-in' };

/** How a file differs from the version before. */
export const CHANGE_LABELS: Record<PathChange, string> = { added: 'added', modified: 'changed', removed: 'removed' };
