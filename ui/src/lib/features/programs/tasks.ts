import { runInfo, runOutcome } from '$lib/features/run';
import { callTask, type TaskLabel } from '$lib/features/tasks';
import type { Optimize } from '$lib/api/generated';

function proposalOutcome({ run, proposal }: Optimize.OptimizeOutcome): string {
  const outcome = runOutcome(run);
  return [proposal ? 'proposal ready' : run.status === 'ok' ? 'no better state found' : '', outcome].filter(Boolean).join(', ');
}

export const tasks: readonly TaskLabel[] = [
  callTask('optimize/start', {
    isRun: true,
    isRepeatable: true,
    info: (params, services) => ({ ...runInfo('Optimize', params, services), show: () => services.proposals.open() }),
    outcome: proposalOutcome,
  }),
  callTask('optimize/repeat', {
    isRun: true,
    isRepeatable: true,
    info: (params, services) => ({ ...runInfo('Re-optimize', params, services), show: () => services.proposals.open() }),
    outcome: proposalOutcome,
  }),
  callTask('program/retry', { isRepeatable: true, info: (_, services) => ({ title: 'Start DSPy', show: () => services.dspy.openSettings() }), outcome: ({ state }) => state }),
];
