import { expect, it } from 'vitest';
import { describeChanges, describeComparison, describeEstimate, describeUsage, formatInterval, formatPoints, formatRate, isGradedSkill, isOfCandidate, labelOf } from './labels';
import { cellOf, describeCell, describeProgress, pairOf, rowsOf } from './matrix';
import type { CaseReport, Comparison, EvalReport, EvalResult, VariantReport } from './types';

const COMPARISON: Comparison = { cases: 8, difference: 0.25, interval: { low: 0.06, high: 0.44 }, p_value: 0.0312, verdict: 'better', improved: 3, regressed: 1 };
const NO_USAGE = { input_tokens: null, output_tokens: null, estimated_cost: null };

const variant = (more: Partial<VariantReport> = {}): VariantReport => ({
  label: 'without skill', revision: null, model: 'a/x', baseline: null, rate: null, comparison: null, flaky: [], not_graded: 0, usage: NO_USAGE, judge_usage: NO_USAGE, mean_ms: null, ...more,
});
const result = (outcome: EvalResult['outcome'], at = 0, repeat = 0): EvalResult => ({
  case: 'k', variant: at, repeat, outcome, output: null, error: null, verdicts: [], usage: NO_USAGE, judge_usage: NO_USAGE, paid: NO_USAGE, duration_ms: 0, model_id: null, run: null, created_at: '',
});
const row = (key: string, results: EvalResult[][], regressions: number[] = []): CaseReport => ({ key, title: key, split: 'train', tags: [], results, regressions });

it('a comparison is said in plain words', () => {
  expect(describeComparison(COMPARISON, 'without skill')).toBe('Better than without skill: +25 points (95% CI +6 to +44), p = 0.031');
  const none: Comparison = { ...COMPARISON, verdict: 'no_difference_shown', difference: -0.01, interval: { low: -0.2, high: 0.19 }, p_value: 1 };
  expect(describeComparison(none, 'revision 2')).toBe('No difference from revision 2 shown: −1 point (95% CI −20 to +19), p = 1.000');
  expect(describeComparison({ ...COMPARISON, verdict: 'too_few' }, 'revision 2')).toMatch('Too few cases to compare with revision 2');
  expect(describeComparison({ ...COMPARISON, verdict: 'worse', p_value: 0.0001 }, 'a')).toMatch(/^Worse than a: .*, p < 0\.001$/);
  expect([describeChanges(COMPARISON), describeChanges({ improved: 0, regressed: 0 })]).toEqual(['3 improved, 1 regressed', '']);
  expect([formatPoints(0.004), formatPoints(-0.004), formatRate(0.745)]).toEqual(['0', '0', '75%']);
});

it('an estimate says what is cached, and what the rest costs at least', () => {
  const estimate = { cells: 32, cached: 16, unknown: 0, input_tokens: 4100, input_cost: 0.02 };
  expect(describeEstimate(estimate)).toBe('32 results, 16 cached, about 4,100 input tokens, at least $0.0200');
  expect(describeEstimate({ ...estimate, cached: 0, input_cost: null, unknown: 1 })).toBe('32 results, about 4,100 input tokens, cost unknown. 1 result can’t be estimated.');
  expect(describeEstimate({ ...estimate, cached: 32 })).toBe('32 results, all cached');
});

it('usage is that of the answers and of the judge', () => {
  expect(describeUsage(variant())).toBe('');
  expect(describeUsage(variant({ usage: { input_tokens: 400, output_tokens: 12, estimated_cost: 0.01 }, judge_usage: { input_tokens: 100, output_tokens: null, estimated_cost: null } }))).toBe('512 tokens, $0.0100');
});

it('a cell says how many repeats passed, and what is odd about it', () => {
  const cell = (outcomes: EvalResult['outcome'][], regressions: number[] = []) => describeCell(cellOf(row('k', [outcomes.map((outcome, repeat) => result(outcome, 0, repeat))], regressions), 0));
  expect(cell(['passed'])).toBe('Passed');
  expect(cell(['failed'], [0])).toBe('Failed, regressed');
  expect(cell(['passed', 'failed', 'passed'])).toBe('2 of 3 passed, flaky');
  expect(cell(['passed', 'error'])).toBe('Passed');
  expect([cell(['not_run']), cell(['error']), cell([])]).toEqual(['Not graded', 'Error', 'No result']);
});

it('rows are filtered by regressions and failures', () => {
  const cases = [row('good', [[result('passed')], [result('passed', 1)]]), row('worse', [[result('passed')], [result('failed', 1)]], [1]), row('bad', [[result('failed')], [result('failed', 1)]])];
  const report = { cases, variants: [variant(), variant({ revision: 1, baseline: 0 })] } as unknown as EvalReport;
  const keys = (regressions: boolean, failed: boolean): string[] => rowsOf(report, { regressions, failed }).map((one) => one.case.key);
  expect([keys(false, false), keys(true, false), keys(false, true)]).toEqual([['good', 'worse', 'bad'], ['worse'], ['worse', 'bad']]);
  expect([pairOf(report, 1), pairOf(report, 0), pairOf({ ...report, variants: [variant()] }, 0)]).toEqual([[0, 1], [0, 1], null]);
  expect([describeProgress({ done: 3, cells: 8 }), describeProgress({ done: 8, cells: 8 })]).toEqual(['3 of 8 results', '8 results']);
});

it('a variant is named in sentence case, and only one with the skill is its result', () => {
  const rate = { rate: 0.75, interval: { low: 0.41, high: 0.93 }, cases: 8 };
  expect([labelOf(variant()), labelOf({ label: 'revision 2, a/x' }), formatInterval(rate)]).toEqual(['Without skill', 'Revision 2, a/x', '95% CI 41% to 93%']);
  expect([variant({ rate }), variant({ revision: 2 }), variant({ revision: 2, rate })].map(isGradedSkill)).toEqual([false, false, true]);
  expect([{ variants: [variant(), variant({ label: 'candidate' })] }, { variants: [variant()] }].map(isOfCandidate)).toEqual([true, false]);
});
