import type { Command } from '$lib/commands';
import type { Studio } from '../studio.svelte';
import { placeOf } from './place';

export function goCommands(studio: Studio): Command[] {
  const { tabs, workspace } = studio;
  const { inStudio, hasTab } = placeOf(studio);

  return [
    { id: 'go.commands', group: 'Go', title: 'Show all commands', keys: ['Ctrl+Shift+P', 'Ctrl+K'], hidden: true, run: () => studio.showOverlay('commands') },
    { id: 'go.quick', group: 'Go', title: 'Go to skill or file', keys: ['Ctrl+P'], words: 'quick open search', run: () => studio.showOverlay('quick') },
    { id: 'go.page', group: 'Go', title: 'Go to page', keys: ['Ctrl+Shift+G'], words: 'open markdown wiki note', when: () => workspace.current !== null, run: () => studio.pages.find() },
    { id: 'go.tree', group: 'Go', title: 'Go to the skill tree', keys: ['Ctrl+Shift+E'], run: () => studio.focusTree() },
    { id: 'go.editor', group: 'Go', title: 'Go to the editor', keys: ['Ctrl+1'], when: hasTab, run: () => studio.focusEditor() },
    { id: 'go.nextProblem', group: 'Go', title: 'Next problem', keys: ['F8'], when: inStudio, run: () => studio.files.stepProblem(1) },
    { id: 'go.previousProblem', group: 'Go', title: 'Previous problem', keys: ['Shift+F8'], when: inStudio, run: () => studio.files.stepProblem(-1) },
    { id: 'go.nextTab', group: 'Go', title: 'Next tab', keys: ['Ctrl+Tab', 'Ctrl+PageDown'], when: hasTab, run: () => tabs.step(1) },
    { id: 'go.previousTab', group: 'Go', title: 'Previous tab', keys: ['Ctrl+Shift+Tab', 'Ctrl+PageUp'], when: hasTab, run: () => tabs.step(-1) },
  ];
}
