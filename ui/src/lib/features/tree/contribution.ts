import Icon from '@lucide/svelte/icons/folder-tree';
import type { Contribution } from '$lib/workbench/contribution';
import { treeCommands } from './commands';
import { DesktopDrop } from './desktopDrop';
import { rowMenu } from './menus';
import { RenameController } from './renameController';
import SkillsSidebar from './SkillsSidebar.svelte';
import { Tree } from './tree.svelte';
import { TreeController } from './treeController.svelte';
import { TreeInput } from './treeInput.svelte';
import { type TreeMarks, treeMarks } from './treeMarks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'sidebar:skills': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly tree: Tree;
    readonly treeInput: TreeInput;
    readonly treeMarks: TreeMarks;
    readonly treeActions: TreeController;
    readonly treeRename: RenameController;
    readonly desktopDrop: DesktopDrop;
  }
}

export const tree: Contribution = {
  id: 'tree',
  views: [
    {
      id: 'skills',
      isMain: false,
      title: 'Editor',
      label: 'Skills',
      icon: Icon,
      order: 10,
      command: 'go.tree',
      component: SkillsSidebar,
      show: ({ layout }) => layout.showSidebarView('skills'),
    },
  ],
  services: {
    tree: (services) =>
      new Tree(services.catalog, {
        mayRename: (row) => services.treeRename.isAllowed(row),
        rename: (row, name) => services.treeRename.apply(row, name),
        transfer: (rows, target, copy) => services.treeActions.transfer(rows, target, copy),
      }),
    treeInput: (services) =>
      new TreeInput(services.tree, services.catalog.details, {
        open: (key, path, options) => services.files.open(key, path, options),
        menu: (row, at) => services.contextMenu.show(at, 'Actions', rowMenu(services, row)),
        create: (scope) => (services.actions.dialog = { kind: 'newSkill', scope }),
        remove: (rows) => services.treeActions.remove(rows),
      }),
    treeMarks,
    treeActions: (services) => new TreeController(services),
    treeRename: (services) => new RenameController(services),
    desktopDrop: (services) => new DesktopDrop(services),
  },
  commands: treeCommands,
  lifecycle: (services) => ({
    mounted: () => {
      const watched = services.desktopDrop.watch(() => document.querySelector('dialog[open]') !== null);
      return () => void watched.then((stop) => stop());
    },
    reset: () => {
      services.tree.model.hasWorkspace = services.workspace.current !== null;
      services.tree.reset();
    },
  }),
};
