import { closeDeleted, followMove } from '$lib/features/editor';
import type { Contribution } from '$lib/workbench/contribution';
import { Actions } from './actions.svelte';
import { AgentsController } from './agentsController.svelte';
import { Exporter } from './exporter.svelte';
import { Importer } from './importer.svelte';
import { ImportSource } from './importSource.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:newSkill': true;
    'overlay:newFile': true;
    'overlay:existingFiles': true;
    'overlay:deleted': true;
    'overlay:import': true;
    'overlay:importSource': true;
    'overlay:export': true;
    'overlay:review': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly actions: Actions;
    readonly exporter: Exporter;
    readonly importer: Importer;
    readonly importSource: ImportSource;
    readonly agents: AgentsController;
  }
}

export const actions: Contribution = {
  id: 'actions',
  overlays: [
    { id: 'newSkill', isOpen: ({ actions }) => actions.dialog?.kind === 'newSkill', load: () => import('./NewSkillOverlay.svelte'), preload: true },
    { id: 'newFile', isOpen: ({ actions }) => actions.dialog?.kind === 'newFile', load: () => import('./NewFileOverlay.svelte'), preload: true },
    { id: 'existingFiles', isOpen: ({ actions }) => actions.dialog?.kind === 'existingFiles', load: () => import('./ExistingFilesOverlay.svelte'), preload: true },
    { id: 'deleted', isOpen: ({ actions }) => actions.dialog?.kind === 'deleted', load: () => import('./DeletedOverlay.svelte') },
    { id: 'import', isOpen: ({ importer }) => importer.paths !== null, load: () => import('./ImportOverlay.svelte') },
    { id: 'importSource', isOpen: ({ importSource }) => importSource.open, load: () => import('./ImportSourceOverlay.svelte') },
    { id: 'export', isOpen: ({ exporter, overlays }) => exporter.skills !== null && overlays.current === null, load: () => import('./ExportOverlay.svelte') },
    { id: 'review', isOpen: ({ agents }) => agents.review.open, load: () => import('./ReviewOverlay.svelte') },
  ],
  settings: () => import('./settings'),
  tasks,
  guidePages: [{ id: 'transfer', order: 120, load: () => import('./guide/transfer.md?raw') }],
  services: {
    actions: (services) =>
      new Actions(services.client, services.catalog, services.toasts, {
        open: (key, path) => services.files.open(key, path),
        reveal: (skill, paths) => services.treeActions.reveal(skill, paths),
        moved: (key, from, to) => followMove(services.tabs, key, from, to),
        closed: (key, path) => closeDeleted(services.tabs, key, path),
        saveDrafts: () => services.tabs.session.keepAll(),
        isDirty: ({ scope, id }, path) => services.tabs.documents.get({ scope, skillId: id, path })?.content.dirty ?? false,
      }),
    exporter: ({ client }) => new Exporter(client),
    importer: (services) => new Importer(services.client, services.catalog, () => services.workspace.current?.writable === true),
    importSource: (services) => new ImportSource(services.client, services.importer, () => services.context.defaultScope),
    agents: (services) => new AgentsController(services),
  },
  lifecycle: (services) => ({ reset: () => services.actions.undoStack.clear() }),
};
