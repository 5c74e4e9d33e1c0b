import { callTask, type TaskLabel } from '$lib/features/tasks';
import { runInfo, runOutcome } from './runTask';

export const tasks: readonly TaskLabel[] = [
  callTask('run/start', { isRun: true, isRepeatable: true, info: (params, services) => runInfo('Run', params, services), outcome: runOutcome }),
  callTask('run/replay', { isRun: true, isRepeatable: true, info: () => ({ title: 'Replay' }), outcome: runOutcome }),
];
