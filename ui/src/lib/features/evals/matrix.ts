import { plural } from '$lib/domain';
import { OUTCOME_LABELS } from './labels';
import type { CaseReport, EvalReport, EvalResult } from './types';

/** The results of one case with one variant. */
export interface MatrixCell {
  passed: number;
  /** Results that passed or failed. */
  graded: number;
  /** Passed, failed, or both in different repeats; for results that aren’t graded, why; null without results. */
  state: EvalResult['outcome'] | 'flaky' | null;
  isRegression: boolean;
}

export interface MatrixRow {
  case: CaseReport;
  cells: MatrixCell[];
}

export interface MatrixFilter {
  regressions: boolean;
  failed: boolean;
}

export function cellOf({ results, regressions }: CaseReport, variant: number): MatrixCell {
  const all = results[variant] ?? [];
  const count = (outcome: EvalResult['outcome']): number => all.filter((one) => one.outcome === outcome).length;
  const [passed, failed] = [count('passed'), count('failed')];
  const graded = passed + failed;
  const ungraded = count('error') > 0 ? 'error' : all.length > 0 ? 'not_run' : null;
  const state = graded === 0 ? ungraded : passed === graded ? 'passed' : passed === 0 ? 'failed' : 'flaky';
  return { passed, graded, state, isRegression: regressions.includes(variant) };
}

export function rowsOf({ cases, variants }: EvalReport, { regressions, failed }: MatrixFilter): MatrixRow[] {
  const rows = cases.map((one) => ({ case: one, cells: variants.map((_, at) => cellOf(one, at)) }));
  const isFailed = ({ state }: MatrixCell): boolean => state === 'failed' || state === 'flaky' || state === 'error';
  return rows.filter((row) => (!regressions || row.cells.some((cell) => cell.isRegression)) && (!failed || row.cells.some(isFailed)));
}

/** "2 of 3 passed, flaky, regressed" */
export function describeCell({ passed, graded, state, isRegression }: MatrixCell): string {
  if (state === null) return 'No result';
  if (graded === 0) return OUTCOME_LABELS[state === 'error' ? 'error' : 'not_run'];
  const outcome = graded === 1 ? (passed === 1 ? 'Passed' : 'Failed') : `${passed} of ${graded} passed`;
  return [outcome, state === 'flaky' ? 'flaky' : '', isRegression ? 'regressed' : ''].filter(Boolean).join(', ');
}

/** The variants to show side by side for a cell: its baseline and itself, or itself and a variant that it is the baseline of. */
export function pairOf({ variants }: EvalReport, variant: number): readonly [number, number] | null {
  const baseline = variants[variant]?.baseline ?? null;
  if (baseline !== null) return [baseline, variant];
  const candidate = variants.findIndex((one) => one.baseline === variant);
  return candidate < 0 ? null : [variant, candidate];
}

/** "12 of 16 results" */
export const describeProgress = ({ done, cells }: Pick<EvalReport, 'done' | 'cells'>): string => (done === cells ? plural(cells, 'result') : `${done} of ${plural(cells, 'result')}`);
