import { runOutcome } from '$lib/features/run';
import { callTask, type TaskLabel } from '$lib/features/tasks';
import { formatUsd } from '$lib/domain';

export const tasks: readonly TaskLabel[] = [
  callTask('action/run', {
    isRun: true,
    isRepeatable: true,
    info: ({ slug }) => ({ title: `Run action ${slug}` }),
    outcome: (ended) => (ended.kind === 'run' ? runOutcome(ended.outcome) : formatUsd(ended.outcome.estimated_cost)),
    wasCanceled: (ended) => ended.kind === 'run' && ended.outcome.status === 'cancelled',
  }),
];
