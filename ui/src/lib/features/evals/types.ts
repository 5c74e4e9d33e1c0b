import type { OutputOf, ParamsOf } from '$lib/api/generated';

export type EvalCase = OutputOf<'eval/cases'>['cases'][number];
export type CaseChange = ParamsOf<'eval/edit_cases'>['changes'][number];
export type EvalParams = ParamsOf<'eval/start'>;
export type EvalEstimate = OutputOf<'eval/estimate'>;
export type EvalReport = OutputOf<'eval/get'>;
export type EvalRun = EvalReport['run'];
export type EvalSummary = OutputOf<'eval/list'>['runs'][number];
export type VariantReport = EvalReport['variants'][number];
export type CaseReport = EvalReport['cases'][number];
export type EvalResult = CaseReport['results'][number][number];
export type PassRate = NonNullable<VariantReport['rate']>;
export type Comparison = NonNullable<VariantReport['comparison']>;
export type RunComparison = OutputOf<'eval/compare'>;
export type TriggerReport = OutputOf<'eval/triggers'>;
export type ReportFormat = ParamsOf<'eval/export'>['format'];
export type Split = EvalCase['split'];
