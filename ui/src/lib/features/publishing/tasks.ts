import { plural } from '$lib/domain';
import { callTask, type TaskLabel } from '$lib/features/tasks';

/** A canceled call fails. */
const wasCanceled = (): boolean => false;

export const tasks: readonly TaskLabel[] = [
  callTask('publish/plan', {
    isShort: true,
    wasCanceled,
    info: ({ folder }) => ({ title: 'Compare skills with registry', subject: folder }),
    outcome: ({ skills }) => `${plural(skills.length, 'skill')} compared`,
  }),
  callTask('publish/release', {
    wasCanceled,
    info: ({ skills = [], target }) => ({ title: `Publish ${plural(skills.length, 'skill')}`, subject: target.folder }),
    outcome: ({ released }) => `${plural(released.length, 'skill')} published`,
  }),
];
