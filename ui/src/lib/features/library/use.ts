import { costOf, formatAgo, formatNumber, plural } from '$lib/domain';
import type { LibraryRow } from '$lib/api/generated';
import { TRUST_LABELS } from './query';

/** "3 runs · at least $0.12 · 2 h ago"; what nobody ran says when it was changed. */
export function useWords(row: Pick<LibraryRow, 'runs' | 'estimated_cost' | 'unpriced' | 'last_used_at'>, now?: number): string {
  const cost = row.runs > 0 ? costOf(row) : '';
  const parts = [
    row.runs > 0 ? `${formatNumber(row.runs)} ${row.runs === 1 ? 'run' : 'runs'}` : '',
    cost === 'unknown' ? 'cost unknown' : cost,
    row.last_used_at === null ? 'Never run' : formatAgo(row.last_used_at, now),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** All of it in a sentence, for whoever can't see the card. */
export function spokenRow(row: LibraryRow): string {
  const marks = [
    row.enabled ? '' : 'disabled',
    row.shadows ? 'overrides the account skill' : '',
    row.shadowed ? 'overridden by the workspace skill' : '',
    row.origin === 'llm' ? 'AI-generated' : '',
    row.lifecycle === 'released' ? '' : row.lifecycle,
    row.locked ? 'locked' : '',
  ].filter(Boolean);
  const runs = row.runs > 0 ? `, ${plural(row.runs, 'run')} in 30 days` : '';
  return `${row.name}, ${row.scope === 'workspace' ? 'workspace' : 'account'}${marks.length > 0 ? `, ${marks.join(', ')}` : ''}, ${TRUST_LABELS[row.trust_tier] ?? ''}${runs}. ${row.description}`;
}
