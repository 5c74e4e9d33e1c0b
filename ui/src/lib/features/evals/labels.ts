import { capital, formatNumber, formatTokens, formatUsd, plural } from '$lib/domain';
import type { Comparison, EvalEstimate, EvalResult, EvalRun, PassRate, ReportFormat, RewriteAttempt, Split, VariantReport } from './types';

export const SPLIT_LABELS: Record<Split, string> = { train: 'Train', validation: 'Validation' };

export const STATUS_LABELS: Record<EvalRun['status'], string> = {
  running: 'Running',
  complete: 'Complete',
  cancelled: 'Canceled',
  over_budget: 'Limit reached',
  failed: 'Failed',
  interrupted: 'Interrupted',
};

export const OUTCOME_LABELS: Record<EvalResult['outcome'], string> = { passed: 'Passed', failed: 'Failed', not_run: 'Not graded', error: 'Error' };

export const VERDICT_LABELS: Record<Comparison['verdict'], string> = {
  better: 'Better',
  worse: 'Worse',
  no_difference_shown: 'No difference shown',
  too_few: 'Too few cases',
};

export const ATTEMPT_LABELS: Record<RewriteAttempt['outcome'], string> = { kept: 'Kept', rejected: 'Not better', repeated: 'Tried before', invalid: 'Not applicable' };

export const FORMAT_LABELS: Record<ReportFormat, string> = {
  html: 'HTML page',
  json: 'JSON',
  csv: 'CSV table',
  junit: 'JUnit XML, for CI',
};

/** A run that didn’t complete can be resumed. */
export const canResume = ({ status }: EvalRun): boolean => status !== 'running' && status !== 'complete';

/** "75%" */
export const formatRate = (share: number): string => `${Math.round(share * 100)}%`;

/** "+25", "−6", "0", in percentage points */
export function formatPoints(difference: number): string {
  const points = Math.round(difference * 100);
  return points === 0 ? '0' : `${points > 0 ? '+' : '−'}${Math.abs(points)}`;
}

/** "Without skill", "Revision 3" */
export const labelOf = ({ label }: Pick<VariantReport, 'label'>): string => capital(label);

/** What a rewrite calls the variant with its candidate. */
const CANDIDATE = 'candidate';

/** Whether a run tried a candidate of a rewrite, which isn’t any revision of the skill. */
export const isOfCandidate = ({ variants }: { variants: readonly Pick<VariantReport, 'label'>[] }): boolean => variants.some(({ label }) => label === CANDIDATE);

/** Whether a variant has the skill, and a pass rate. */
export const isGradedSkill = ({ revision, rate }: Pick<VariantReport, 'revision' | 'rate'>): boolean => revision !== null && rate !== null;

/** Explains the intervals. */
export const INTERVAL_HINT = '95% confidence interval: how exact the pass rate is. It is wide with few cases.';

/** "95% CI 40% to 93%" */
export const formatInterval = ({ interval }: PassRate): string => `95% CI ${formatRate(interval.low)} to ${formatRate(interval.high)}`;

const formatP = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

/** "+25 points (95% CI +6 to +44), p = 0.031" */
export function formatDifference({ difference, interval, p_value: p }: Comparison): string {
  const points = `${formatPoints(difference)} ${Math.abs(Math.round(difference * 100)) === 1 ? 'point' : 'points'}`;
  return `${points} (95% CI ${formatPoints(interval.low)} to ${formatPoints(interval.high)}), ${formatP(p)}`;
}

/** "Better than without skill: +25 points (95% CI +6 to +44), p = 0.031" */
export function describeComparison(comparison: Comparison, baseline: string): string {
  const words: Record<Comparison['verdict'], string> = {
    better: `Better than ${baseline}`,
    worse: `Worse than ${baseline}`,
    no_difference_shown: `No difference from ${baseline} shown`,
    too_few: `Too few cases to compare with ${baseline}`,
  };
  return `${words[comparison.verdict]}: ${formatDifference(comparison)}`;
}

/** "3 improved, 1 regressed"; empty if no case differs. */
export function describeChanges({ improved, regressed }: Pick<Comparison, 'improved' | 'regressed'>): string {
  return [improved > 0 ? `${improved} improved` : '', regressed > 0 ? `${regressed} regressed` : ''].filter(Boolean).join(', ');
}

/** "32 results, 16 cached, about 4,100 input tokens, at least $0.02" */
export function describeEstimate({ cells, cached, unknown, input_tokens: tokens, input_cost: cost }: EvalEstimate): string {
  if (cells === cached) return `${plural(cells, 'result')}, all cached`;
  const parts = [
    plural(cells, 'result'),
    cached > 0 ? `${formatNumber(cached)} cached` : '',
    `about ${formatNumber(tokens)} input tokens`,
    cost === null ? 'cost unknown' : cost === 0 ? 'free' : `at least ${formatUsd(cost)}`,
  ];
  const text = parts.filter(Boolean).join(', ');
  return unknown === 0 ? text : `${text}. ${plural(unknown, 'result')} can’t be estimated.`;
}

/** "5 training cases: 5 results, about 410 input tokens, at least $0.0020"; `times`: how often each case is run */
export function describePass(cases: string, estimate: EvalEstimate | null, times: number): string {
  if (estimate === null) return cases;
  const { cells, cached, unknown, input_tokens: tokens, input_cost: cost } = estimate;
  return `${cases}: ${describeEstimate({ cells: cells * times, cached: cached * times, unknown: unknown * times, input_tokens: tokens * times, input_cost: cost === null ? null : cost * times })}`;
}

/** "412 tokens, $0.0120, 1.2 s on average", as far as it is known */
export function describeUsage({ usage, judge_usage: judge }: VariantReport): string {
  const tokens = [usage, judge].flatMap((one) => [one.input_tokens, one.output_tokens]).filter((one) => one !== null);
  const costs = [usage.estimated_cost, judge.estimated_cost].filter((one) => one !== null);
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  return [tokens.length === 0 ? '' : `${formatTokens(sum(tokens))} tokens`, costs.length === 0 ? '' : formatUsd(sum(costs))].filter(Boolean).join(', ');
}
