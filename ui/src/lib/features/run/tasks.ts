import { asFailure } from '$lib/api';
import { callTask, type TaskLabel } from '$lib/features/tasks';
import type { ParamsOf } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { withApproval } from './gateApproval.svelte';
import { runInfo, runOutcome } from './runTask';

/** Repeats a run. Approvals are of one run, so its gates are asked for again. */
const repeat =
  <N extends 'run/start' | 'run/replay'>(name: N) =>
  (params: ParamsOf<N>, { client, gateApproval }: Services) =>
    withApproval(gateApproval.ask, (approved) => client.call(name, { ...params, run: crypto.randomUUID(), approve: [...approved] }).then(() => null, asFailure));

export const tasks: readonly TaskLabel[] = [
  callTask('run/start', { isRun: true, isRepeatable: true, repeat: repeat('run/start'), info: (params, services) => runInfo('Run', params, services), outcome: runOutcome }),
  callTask('run/replay', { isRun: true, isRepeatable: true, repeat: repeat('run/replay'), info: () => ({ title: 'Replay' }), outcome: runOutcome }),
];
