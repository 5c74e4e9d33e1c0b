import type { Contribution } from '$lib/workbench/contribution';
import { workspaceCommands } from './commands';
import { FoldersController } from './foldersController.svelte';
import { Workspace } from './workspace.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly workspace: Workspace;
    readonly folders: FoldersController;
  }
}

export const workspace: Contribution = {
  id: 'workspace',
  services: {
    workspace: (services) =>
      new Workspace(
        services.client,
        services.feed,
        () => services.lifecycle.keep(),
        () => services.lifecycle.workspaceChanged(),
      ),
    folders: (services) => new FoldersController(services),
  },
  commands: workspaceCommands,
};
