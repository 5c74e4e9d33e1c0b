import { costOf, formatAgo, formatNumber, plural, TRUST_LABELS } from '$lib/domain';
import type { Library } from '$lib/api/generated';

/** "3 runs · at least $0.12 · 2 h ago"; "Never run" for a skill without runs. */
export function usageLabel(row: Pick<Library.LibraryRow, 'runs' | 'estimated_cost' | 'unpriced' | 'last_used_at'>, now?: number): string {
  const cost = row.runs > 0 ? costOf(row) : '';
  const parts = [
    row.runs > 0 ? `${formatNumber(row.runs)} ${row.runs === 1 ? 'run' : 'runs'}` : '',
    cost === 'unknown' ? 'cost unknown' : cost,
    row.last_used_at === null ? 'Never run' : formatAgo(row.last_used_at, now),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The row for screen readers. */
export function spokenRow(row: Library.LibraryRow): string {
  const marks = [
    row.enabled ? '' : 'disabled',
    row.shadows ? 'overrides the account skill' : '',
    row.shadowed ? 'overridden by the workspace skill' : '',
    row.origin === 'llm' ? 'AI-generated' : '',
    row.lifecycle === 'released' ? '' : row.lifecycle,
    row.locked ? 'locked' : '',
  ].filter(Boolean);
  const runs = row.runs > 0 ? `, ${plural(row.runs, 'run')} in the last 30 days` : '';
  return `${row.name}, ${row.scope === 'workspace' ? 'workspace' : 'account'}${marks.length > 0 ? `, ${marks.join(', ')}` : ''}, ${TRUST_LABELS[row.trust_tier] ?? ''}${runs}. ${row.description}`;
}
