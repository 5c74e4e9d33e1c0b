import Icon from '@lucide/svelte/icons/folder-tree';
import type { Contribution } from '$lib/workbench/contribution';
import { treeCommands } from './commands';
import { rowMenu } from './menus';
import { Tree } from './tree.svelte';
import { TreeController } from './treeController.svelte';
import { treeMarks } from './treeMarks';

declare module '$lib/workbench/services' {
  interface Services {
    readonly tree: Tree;
    readonly treeActions: TreeController;
  }
}

export const tree: Contribution = {
  id: 'tree',
  views: [
    {
      id: 'skills',
      title: 'Editor',
      icon: Icon,
      order: 10,
      command: 'go.tree',
      show: ({ layout }) => layout.showSidebarView('skills'),
    },
  ],
  services: {
    tree: (services) =>
      new Tree(
        services.catalog,
        {
          open: (key, path, options) => services.files.open(key, path, options),
          menu: (row, at) => services.contextMenu.show(at, 'Actions', rowMenu(services, row)),
          create: (scope) => (services.actions.dialog = { kind: 'newSkill', scope }),
          mayRename: (row) => services.treeActions.mayRename(row),
          rename: (row, name) => services.treeActions.rename(row, name),
          remove: (rows) => services.treeActions.remove(rows),
          bring: (rows, goal, copy) => services.treeActions.bring(rows, goal, copy),
        },
        treeMarks(services),
      ),
    treeActions: (services) => new TreeController(services),
  },
  commands: treeCommands,
  lifecycle: (services) => ({
    mounted: () => {
      const watched = services.treeActions.watchDesktop(() => document.querySelector('dialog[open]') !== null);
      return () => void watched.then((stop) => stop());
    },
    reset: () => {
      services.tree.hasWorkspace = services.workspace.current !== null;
      services.tree.reset();
    },
  }),
};
