import type { TaskInfo } from '$lib/api';
import { plural } from '$lib/domain';
import { backgroundTask, callTask, type TaskLabel } from '$lib/features/tasks';
import type { Services } from '$lib/workbench/services';

const info = (title: string, { pages, workspace }: Pick<Services, 'pages' | 'workspace'>): TaskInfo => ({
  title,
  subject: workspace.current?.name ?? '',
  show: () => pages.open(),
});

export const tasks: readonly TaskLabel[] = [
  callTask('page/refresh', {
    isShort: true,
    isRepeatable: true,
    info: (_, services) => info('Refresh pages', services),
    outcome: ({ added, changed, removed }) => plural(added.length + changed.length + removed.length, 'change'),
  }),
  backgroundTask('page/status', { info: (services) => info('Index pages', services), progress: ({ progress }) => progress, outcome: ({ pages }) => plural(pages, 'page') }),
];
