import { costOf, formatAgo, formatNumber, plural, TRUST_LABELS } from '$lib/domain';
import type { Library } from '$lib/api/generated';

/** "3 runs · at least $0.12 · 2 h ago"; "Never used" for a skill that neither ran nor was loaded in a chat. */
export function usageLabel(row: Pick<Library.LibraryRow, 'runs' | 'estimated_cost' | 'unpriced' | 'last_used_at'>, now?: number): string {
  const cost = row.runs > 0 ? costOf(row) : '';
  const parts = [
    row.runs > 0 ? `${formatNumber(row.runs)} ${row.runs === 1 ? 'run' : 'runs'}` : '',
    cost === 'unknown' ? 'cost unknown' : cost,
    row.last_used_at === null ? 'Never used' : formatAgo(row.last_used_at, now),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** "3 of 4 succeeded · 1 of 2 answers accepted"; empty without a known outcome. */
export function qualityLabel(quality: Library.SkillQuality): string {
  const { outcomes, successes, judged, accepted } = quality;
  const parts = [
    outcomes > 0 ? `${formatNumber(successes)} of ${formatNumber(outcomes)} succeeded` : '',
    judged > 0 ? `${formatNumber(accepted)} of ${plural(judged, 'answer')} accepted` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Which uses count. */
export function qualityTitle(quality: Library.SkillQuality): string {
  const unknown = quality.uses - quality.outcomes;
  const all = 'Runs, and answers that you marked or whose proposal you accepted.';
  return unknown > 0 ? `${all} ${plural(unknown, 'other use', 'other uses')} ${unknown === 1 ? 'has' : 'have'} no known outcome.` : all;
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
