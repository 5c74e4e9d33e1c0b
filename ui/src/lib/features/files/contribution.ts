import { plural } from '$lib/domain';
import type { Contribution } from '$lib/workbench/contribution';
import { Autosave } from './autosave.svelte';
import { filesCommands } from './commands';
import { DocumentsController } from './documentsController';
import { FilesController } from './filesController';

declare module '$lib/workbench/services' {
  interface Services {
    readonly files: FilesController;
    readonly documents: DocumentsController;
    readonly autosave: Autosave;
  }
}

export const files: Contribution = {
  id: 'files',
  statusItems: [
    {
      id: 'drafts',
      side: 'left',
      order: 50,
      status: ({ catalog, files }) =>
        catalog.drafts.list.length === 0 ? null : { text: plural(catalog.drafts.list.length, 'draft'), title: 'Open unsaved drafts', run: () => files.openDrafts() },
    },
  ],
  services: { files: (services) => new FilesController(services), documents: (services) => new DocumentsController(services), autosave: (services) => new Autosave(services) },
  lifecycle: (services) => ({ mounted: () => services.autosave.follow() }),
  commands: filesCommands,
};
