import { plural } from '$lib/domain';
import { callTask, type TaskLabel } from '$lib/features/tasks';

export const tasks: readonly TaskLabel[] = [
  callTask('run/delete', { info: ({ runs }) => ({ title: `Delete ${plural(runs.length, 'run')}` }), outcome: () => '' }),
  callTask('trace/export', { isRepeatable: true, info: ({ out }) => ({ title: 'Export runs', subject: out ?? '' }), outcome: ({ lines }) => plural(lines, 'line') }),
];
