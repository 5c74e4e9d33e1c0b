import type { Catalog } from '$lib/api';
import type { Scope } from '$lib/api/generated';
import { callTask, type TaskLabel } from '$lib/features/tasks';
import { formatRate, STATUS_LABELS } from './labels';
import type { EvalReport, Rewrite } from './types';

const nameOf = (catalog: Catalog, skill: string, scope: Scope | null | undefined): string => catalog.skills.find((one) => one.id === skill && (scope == null || one.scope === scope))?.name ?? skill;

/** "Complete, 75%" */
function outcomeOf({ run, variants }: EvalReport): string {
  const rate = variants.at(-1)?.rate;
  return [STATUS_LABELS[run.status], rate ? formatRate(rate.rate) : ''].filter(Boolean).join(', ');
}

const wasCanceled = ({ run }: EvalReport): boolean => run.status === 'cancelled';

/** "Proposal ready, 60% → 100% of the training cases" */
function rewritten({ train, proposal, promoted, over_budget: early }: Rewrite): string {
  const rates = `${formatRate(train.before)} → ${formatRate(train.after)} of the training cases`;
  if (promoted) return `Accepted as revision ${promoted.revision}, ${rates}`;
  return [proposal === null ? 'No improvement' : `Proposal ready, ${rates}`, early ? 'ended early' : ''].filter(Boolean).join(', ');
}

export const tasks: readonly TaskLabel[] = [
  callTask('eval/start', {
    info: ({ skill, scope }, { catalog, evals }) => ({
      title: 'Run evals',
      subject: nameOf(catalog, skill, scope),
      show: () => evals.open('runs', { id: skill, scope: scope ?? 'account' }),
    }),
    outcome: outcomeOf,
    wasCanceled,
  }),
  callTask('eval/resume', { info: (_, { evals }) => ({ title: 'Resume evals', show: () => evals.open('runs') }), outcome: outcomeOf, wasCanceled }),
  callTask('eval/triggers', { isShort: true, info: () => ({ title: 'Test triggers' }), outcome: () => '', wasCanceled: () => false }),
  callTask('eval/model_triggers', { info: (_, { evals }) => ({ title: 'Ask a model for triggers', show: () => evals.open('triggers') }), outcome: ({ model }) => model, wasCanceled: () => false }),
  callTask('eval/rewrite', {
    info: ({ skill, scope }, { catalog, evals }) => ({
      title: 'Rewrite instructions',
      subject: nameOf(catalog, skill, scope),
      show: () => evals.open('rewrite', { id: skill, scope: scope ?? 'account' }),
    }),
    outcome: rewritten,
    wasCanceled: () => false,
  }),
];
