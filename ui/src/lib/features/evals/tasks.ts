import { callTask, type TaskLabel } from '$lib/features/tasks';
import { formatRate, STATUS_LABELS } from './labels';
import type { EvalReport } from './types';

/** "Complete, 75%" */
function outcomeOf({ run, variants }: EvalReport): string {
  const rate = variants.at(-1)?.rate;
  return [STATUS_LABELS[run.status], rate ? formatRate(rate.rate) : ''].filter(Boolean).join(', ');
}

const wasCanceled = ({ run }: EvalReport): boolean => run.status === 'cancelled';

export const tasks: readonly TaskLabel[] = [
  callTask('eval/start', {
    info: ({ skill, scope }, { catalog, evals }) => ({
      title: 'Run evals',
      subject: catalog.skills.find((one) => one.id === skill && (scope == null || one.scope === scope))?.name ?? skill,
      show: () => evals.open('runs', { id: skill, scope: scope ?? 'account' }),
    }),
    outcome: outcomeOf,
    wasCanceled,
  }),
  callTask('eval/resume', { info: (_, { evals }) => ({ title: 'Resume evals', show: () => evals.open('runs') }), outcome: outcomeOf, wasCanceled }),
  callTask('eval/triggers', { isShort: true, info: () => ({ title: 'Test triggers' }), outcome: () => '', wasCanceled: () => false }),
  callTask('eval/model_triggers', { info: (_, { evals }) => ({ title: 'Ask a model for triggers', show: () => evals.open('triggers') }), outcome: ({ model }) => model, wasCanceled: () => false }),
];
