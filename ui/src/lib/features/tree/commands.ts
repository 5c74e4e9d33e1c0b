import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'tree' | 'treeActions' | 'treeRename'>;

/** Commands whose shortcuts work while the tree has the focus. */
export function treeCommands(services: Needs): Command[] {
  const { actions, tree, treeActions, treeRename } = services;
  const { undoStack } = actions;
  const hasItem = (): boolean => treeActions.active && tree.selection.targets.length > 0;

  return [
    {
      id: 'tree.undo',
      group: 'Tree',
      get title() {
        return undoStack.undoLabel === null ? 'Undo' : `Undo ${undoStack.undoLabel}`;
      },
      keys: ['Ctrl+Z'],
      keywords: 'take back restore',
      when: () => treeActions.canUndo,
      run: () => undoStack.undo(),
    },
    {
      id: 'tree.redo',
      group: 'Tree',
      get title() {
        return undoStack.redoLabel === null ? 'Redo' : `Redo ${undoStack.redoLabel}`;
      },
      keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
      when: () => treeActions.canRedo,
      run: () => undoStack.redo(),
    },
    { id: 'tree.rename', group: 'Tree', title: 'Rename in tree', keys: ['F2'], keywords: 'title move', when: () => hasItem() && tree.selection.targets.length === 1, run: () => treeRename.start() },
    { id: 'tree.duplicate', group: 'Tree', title: 'Duplicate in tree', keys: ['Ctrl+D'], keywords: 'copy', when: hasItem, run: () => treeActions.duplicate(tree.selection.targets) },
    { id: 'tree.cut', group: 'Tree', title: 'Cut in tree', keys: ['Ctrl+X'], keywords: 'move', when: hasItem, run: () => tree.clipboard.cut() },
    { id: 'tree.copy', group: 'Tree', title: 'Copy in tree', keys: ['Ctrl+C'], when: hasItem, run: () => tree.clipboard.copy() },
    { id: 'tree.paste', group: 'Tree', title: 'Paste in tree', keys: ['Ctrl+V'], keywords: 'move copy', when: () => treeActions.active && !tree.clipboard.isEmpty, run: () => tree.clipboard.paste() },
    { id: 'tree.selectAll', group: 'Tree', title: 'Select all in skill', keys: ['Ctrl+A'], when: hasItem, run: () => tree.selection.selectAll() },
    { id: 'tree.delete', group: 'Tree', title: 'Delete in tree', keywords: 'remove', when: hasItem, run: () => treeActions.remove(tree.selection.targets) },
  ];
}
