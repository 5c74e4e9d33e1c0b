import { plural } from '$lib/domain';
import { callTask, type TaskLabel } from '$lib/features/tasks';

export const tasks: readonly TaskLabel[] = [
  callTask('text/replace', {
    info: ({ query, files }, services) => ({ title: `Replace “${query.text}”`, subject: plural(files.length, 'file'), show: () => services.search.show(true) }),
    outcome: ({ changed, refused }) => `${plural(changed.length, 'skill')} changed${refused.length > 0 ? `, ${refused.length} not changed` : ''}`,
  }),
];
