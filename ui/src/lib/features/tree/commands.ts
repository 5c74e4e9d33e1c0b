import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'tree' | 'treeActions'>;

/** What is done to rows of the tree. Their keys work while the keyboard is there. */
export function treeCommands(services: Needs): Command[] {
  const { tree, actions, treeActions } = services;
  const { journal } = actions;
  const hasThing = (): boolean => treeActions.active && treeActions.chosen.length > 0;

  return [
    {
      id: 'tree.undo',
      group: 'Tree',
      get title() {
        return journal.undoLabel === null ? 'Undo' : `Undo ${journal.undoLabel}`;
      },
      keys: ['Ctrl+Z'],
      words: 'take back restore',
      when: () => treeActions.canUndo,
      run: () => journal.undo(),
    },
    {
      id: 'tree.redo',
      group: 'Tree',
      get title() {
        return journal.redoLabel === null ? 'Redo' : `Redo ${journal.redoLabel}`;
      },
      keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
      when: () => treeActions.canRedo,
      run: () => journal.redo(),
    },
    { id: 'tree.rename', group: 'Tree', title: 'Rename in tree', keys: ['F2'], words: 'title move', when: () => hasThing() && treeActions.chosen.length === 1, run: () => treeActions.startRename() },
    { id: 'tree.duplicate', group: 'Tree', title: 'Duplicate in tree', keys: ['Ctrl+D'], words: 'copy', when: hasThing, run: () => treeActions.duplicate(treeActions.chosen) },
    { id: 'tree.cut', group: 'Tree', title: 'Cut in tree', keys: ['Ctrl+X'], words: 'move', when: hasThing, run: () => tree.take(true) },
    { id: 'tree.copy', group: 'Tree', title: 'Copy in tree', keys: ['Ctrl+C'], when: hasThing, run: () => tree.take(false) },
    { id: 'tree.paste', group: 'Tree', title: 'Paste in tree', keys: ['Ctrl+V'], words: 'move copy', when: () => treeActions.active && tree.clipboard !== null, run: () => tree.paste() },
    { id: 'tree.selectAll', group: 'Tree', title: 'Select all in skill', keys: ['Ctrl+A'], when: hasThing, run: () => tree.selectAll() },
    { id: 'tree.delete', group: 'Tree', title: 'Delete in tree', words: 'remove', when: hasThing, run: () => treeActions.remove(treeActions.chosen) },
  ];
}
