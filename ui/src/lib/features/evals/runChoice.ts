import { plural } from '$lib/domain';
import type { SkillKey } from '$lib/api';
import type { Limits } from '$lib/api/generated';
import type { EvalCase, EvalParams, Split } from './types';

export type CaseScope = 'all' | 'tags' | 'split' | 'selected';
export type CompareMode = 'baseline' | 'revisions' | 'models' | 'none';

/** What the run dialog asks for. Numbers are texts, as they are typed. */
export interface RunChoice {
  cases: CaseScope;
  tags: readonly string[];
  split: Split;
  compare: CompareMode;
  revisions: readonly number[];
  /** Models to compare. */
  models: readonly string[];
  /** The model if models aren’t compared. Empty for the default model. */
  model: string;
  /** Empty for the default model. */
  judge: string;
  repeat: string;
  concurrency: string;
  fresh: boolean;
}

export const NEW_CHOICE: RunChoice = {
  cases: 'all', tags: [], split: 'validation', compare: 'baseline', revisions: [], models: [], model: '', judge: '', repeat: '1', concurrency: '4', fresh: false,
};

export const COMPARE_LABELS: Record<CompareMode, string> = {
  baseline: 'With and without the skill',
  revisions: 'Revisions',
  models: 'Models',
  none: 'Nothing (only run the skill)',
};

export const MAX_REPEAT = 100;
export const MAX_CONCURRENCY = 32;

/** The task cases that a choice runs. */
export function chosenCases({ cases, tags, split }: RunChoice, tasks: readonly EvalCase[], selected: readonly string[]): readonly EvalCase[] {
  switch (cases) {
    case 'all':
      return tasks;
    case 'tags':
      return tasks.filter((one) => one.tags.some((tag) => tags.includes(tag)));
    case 'split':
      return tasks.filter((one) => one.split === split);
    case 'selected':
      return tasks.filter((one) => selected.includes(one.key));
  }
}

/** Null unless it is a whole number in the range. */
function numberOf(text: string, max: number): number | null {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return value >= 1 && value <= max ? value : null;
}

/** Why a choice can’t run; empty if it can. */
export function problemOf(choice: RunChoice, cases: number): string {
  if (choice.cases === 'tags' && choice.tags.length === 0) return 'Select a tag.';
  if (cases === 0) return 'No task cases match. Trigger cases are tested under Triggers.';
  if (choice.compare === 'revisions' && choice.revisions.length < 2) return 'Select two or more revisions.';
  if (choice.compare === 'models' && choice.models.length < 2) return 'Select two or more models.';
  if (numberOf(choice.repeat, MAX_REPEAT) === null) return `Repeat each case 1 to ${MAX_REPEAT} times.`;
  if (numberOf(choice.concurrency, MAX_CONCURRENCY) === null) return `Run 1 to ${MAX_CONCURRENCY} at the same time.`;
  return '';
}

export function paramsOf(choice: RunChoice, { id, scope }: SkillKey, selected: readonly string[], limits: Limits): EvalParams {
  const { cases, compare } = choice;
  const models = compare === 'models' ? [...choice.models] : choice.model === '' ? [] : [choice.model];
  return {
    skill: id,
    scope,
    ...(cases === 'tags' ? { tags: [...choice.tags] } : {}),
    ...(cases === 'split' ? { split: choice.split } : {}),
    ...(cases === 'selected' ? { cases: [...selected] } : {}),
    models,
    // The oldest one is the baseline.
    revisions: compare === 'revisions' ? choice.revisions.toSorted((a, b) => a - b) : [],
    without_baseline: compare === 'models' || compare === 'none',
    repeat: numberOf(choice.repeat, MAX_REPEAT),
    concurrency: numberOf(choice.concurrency, MAX_CONCURRENCY),
    ...(choice.judge === '' ? {} : { judge: choice.judge }),
    fresh: choice.fresh,
    limits,
  };
}

/** "8 cases" */
export const countCases = (count: number, one = 'case'): string => plural(count, one);
