import { plural } from '$lib/domain';
import { callTask, type TaskLabel } from '$lib/features/tasks';

const folders = (paths: readonly string[]): string => (paths.length === 1 ? (paths[0] ?? '') : plural(paths.length, 'folder'));

export const tasks: readonly TaskLabel[] = [
  callTask('skill/import', {
    isRepeatable: true,
    info: ({ paths = [], texts = [], dry_run: dry }) => (dry ? null : { title: 'Import skills', subject: folders([...paths, ...texts.map(({ name }) => name)]) }),
    wasCanceled: ({ stopped }) => stopped,
    outcome: ({ items, found }) => {
      const imported = items.filter(({ stored }) => stored).length;
      const failed = items.filter(({ status }) => status === 'refused').length;
      return `${imported} of ${plural(found, 'skill')}${failed > 0 ? `, ${failed} failed` : ''}`;
    },
  }),
  callTask('check/folders', {
    isShort: true,
    isRepeatable: true,
    info: ({ paths }) => ({ title: 'Check skills', subject: folders(paths) }),
    wasCanceled: ({ stopped }) => stopped,
    outcome: ({ skills }) => `${skills.filter(({ ok }) => ok).length} of ${plural(skills.length, 'skill')} valid`,
  }),
  callTask('skill/export', {
    isRepeatable: true,
    info: ({ skills, out, dry_run: dry }) => (dry ? null : { title: `Export ${plural(skills.length, 'skill')}`, subject: out ?? '' }),
    wasCanceled: ({ stopped }) => stopped,
    outcome: ({ items }) => `${plural(items.reduce((sum, one) => sum + one.files, 0), 'file')} exported`,
  }),
];
