import { plural } from '$lib/domain';
import { callTask, type TaskLabel } from '$lib/features/tasks';

export const tasks: readonly TaskLabel[] = [
  callTask('db/backup', {
    isShort: true,
    isInBytes: true,
    info: ({ scope, to }) => ({ title: `Back up the ${scope ?? 'account'} database`, subject: to }),
    wasCanceled: () => false,
    outcome: ({ copy }) => copy,
  }),
  callTask('db/restore', {
    isShort: true,
    isInBytes: true,
    info: ({ scope, from }) => ({ title: `Restore the ${scope ?? 'account'} database`, subject: from }),
    wasCanceled: () => false,
    outcome: () => '',
  }),
  callTask('db/check', {
    isShort: true,
    isRepeatable: true,
    info: ({ scope }) => ({ title: `Check the ${scope ?? 'account'} database` }),
    wasCanceled: () => false,
    outcome: ({ ok, findings }) => (ok ? 'intact' : plural(findings.length, 'problem')),
  }),
];
