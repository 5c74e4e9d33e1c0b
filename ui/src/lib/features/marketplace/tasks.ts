import { plural } from '$lib/domain';
import { callTask, type TaskLabel } from '$lib/features/tasks';

/** A canceled call fails. */
const wasCanceled = (): boolean => false;

const nameOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

export const tasks: readonly TaskLabel[] = [
  callTask('marketplace/install', {
    isInBytes: true,
    wasCanceled,
    info: ({ id }, { marketplace }) => ({ title: 'Install skill', subject: nameOf(id), show: () => marketplace.show(id) }),
    outcome: ({ version, replaced }) => (replaced === null ? `Version ${version}` : `${replaced} to ${version}`),
  }),
  callTask('marketplace/update', {
    wasCanceled,
    info: (_, { marketplace }) => ({ title: 'Update skills', show: () => marketplace.open('installed') }),
    outcome: ({ updated, failed }) => `${plural(updated.length, 'skill')} updated${failed.length > 0 ? `, ${failed.length} failed` : ''}`,
  }),
  callTask('marketplace/package', {
    isShort: true,
    isInBytes: true,
    wasCanceled,
    info: ({ id }, { marketplace }) => ({ title: 'Download skill', subject: nameOf(id), show: () => marketplace.show(id) }),
    outcome: ({ files }) => plural(files.length, 'file'),
  }),
  callTask('marketplace/compare', {
    isShort: true,
    isInBytes: true,
    wasCanceled,
    info: ({ id }) => ({ title: 'Compare versions', subject: nameOf(id) }),
    outcome: ({ files }) => `${plural(files.length, 'file')} differ`,
  }),
  callTask('registry/sync', {
    isShort: true,
    wasCanceled,
    info: ({ registry }, { marketplace }) => ({ title: 'Sync registries', subject: registry ?? '', show: () => marketplace.open() }),
    outcome: ({ registries, updated }) => {
      const failed = registries.filter(({ failure }) => failure !== null);
      if (failed.length === registries.length && failed[0]?.failure) throw Object.assign(new Error(failed[0].failure.message));
      return `${plural(registries.length, 'registry', 'registries')} synced${updated.length > 0 ? `, ${plural(updated.length, 'skill')} updated` : ''}`;
    },
  }),
];
