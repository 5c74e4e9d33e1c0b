import type { LoopStage, OptimizationLoop } from './types';

export const STAGE_LABELS: Record<LoopStage['id'], string> = {
  target: 'Target',
  criteria: 'Criteria',
  cases: 'Cases',
  candidates: 'Candidates',
  scores: 'Scores',
  promotion: 'Promotion',
};

export const STAGE_STATUS_LABELS: Record<LoopStage['status'], string> = { ready: 'Ready', partial: 'Partial', empty: 'Empty' };

/** What closes a gap. */
export type StageAction = 'edit_manifest' | 'add_case' | 'add_trigger' | 'test_triggers' | 'rewrite' | 'review' | 'run';

export const ACTION_LABELS: Record<StageAction, string> = {
  edit_manifest: 'Edit manifest',
  add_case: 'Add case',
  add_trigger: 'Add trigger case',
  test_triggers: 'Test triggers',
  rewrite: 'Rewrite…',
  review: 'Review proposal',
  run: 'Run evals…',
};

export interface SkillFacts {
  /** Numbers of cases. */
  tasks: number;
  triggers: number;
  isReadOnly: boolean;
  /** Whether a proposal for it waits for a decision. */
  hasProposal: boolean;
}

/** Null if nothing can be done about it here. */
export function actionOf({ id, status }: LoopStage, { tasks, triggers, isReadOnly, hasProposal }: SkillFacts): StageAction | null {
  switch (id) {
    case 'target':
      return null;
    case 'criteria':
    case 'promotion':
      return status !== 'ready' && !isReadOnly ? 'edit_manifest' : null;
    case 'cases':
      if (status === 'ready' || isReadOnly) return triggers > 0 ? 'test_triggers' : null;
      return tasks === 0 ? 'add_case' : 'add_trigger';
    case 'candidates':
      if (hasProposal) return 'review';
      return tasks > 0 ? 'rewrite' : null;
    case 'scores':
      return status !== 'ready' && tasks > 0 ? 'run' : null;
  }
}

/** What to do next: review a proposal, else close the first gap that has an action, else the first one. Null if all stages are ready. */
export function nextStep({ stages }: OptimizationLoop, facts: SkillFacts): { text: string; action: StageAction | null } | null {
  if (facts.hasProposal) return { text: 'A proposal waits for review.', action: 'review' };
  const gaps = stages.flatMap((stage) => (stage.next === null ? [] : [{ text: stage.next, action: actionOf(stage, facts) }]));
  return gaps.find(({ action }) => action !== null) ?? gaps[0] ?? null;
}
