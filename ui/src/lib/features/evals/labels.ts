import { formatNumber, formatTokens, formatUsd, plural } from '$lib/domain';
import type { Comparison, EvalEstimate, EvalResult, EvalRun, PassRate, ReportFormat, Split, VariantReport } from './types';

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

/** "95% interval 40% to 93%" */
export const formatInterval = ({ interval }: PassRate): string => `95% interval ${formatRate(interval.low)} to ${formatRate(interval.high)}`;

const formatP = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

/** "+25 points (95% interval +6 to +44), p = 0.031" */
export function formatDifference({ difference, interval, p_value: p }: Comparison): string {
  const points = `${formatPoints(difference)} ${Math.abs(Math.round(difference * 100)) === 1 ? 'point' : 'points'}`;
  return `${points} (95% interval ${formatPoints(interval.low)} to ${formatPoints(interval.high)}), ${formatP(p)}`;
}

/** "Better than without skill: +25 points (95% interval +6 to +44), p = 0.031" */
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

/** "412 tokens, $0.0120, 1.2 s on average", as far as it is known */
export function describeUsage({ usage, judge_usage: judge }: VariantReport): string {
  const tokens = [usage, judge].flatMap((one) => [one.input_tokens, one.output_tokens]).filter((one) => one !== null);
  const costs = [usage.estimated_cost, judge.estimated_cost].filter((one) => one !== null);
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
  return [tokens.length === 0 ? '' : `${formatTokens(sum(tokens))} tokens`, costs.length === 0 ? '' : formatUsd(sum(costs))].filter(Boolean).join(', ');
}
