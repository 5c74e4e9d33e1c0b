import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'editor' | 'files' | 'fixes' | 'navigation' | 'pages' | 'palette' | 'tabs' | 'workspace'>;

export function goCommands(services: Needs): Command[] {
  const { tabs, workspace } = services;
  const { inEditor, hasTab, hasText } = services.context;

  return [
    { id: 'go.commands', group: 'Go', title: 'Show all commands', keys: ['Ctrl+Shift+P', 'Ctrl+K'], hidden: true, run: () => services.palette.showCommands() },
    { id: 'go.quick', group: 'Go', title: 'Go to skill or file', keys: ['Ctrl+P'], words: 'quick open search', run: () => services.palette.showQuickOpen() },
    { id: 'go.page', group: 'Go', title: 'Go to page', keys: ['Ctrl+Shift+G'], words: 'open markdown wiki note', when: () => workspace.current !== null, run: () => services.pages.find() },
    { id: 'go.tree', group: 'Go', title: 'Focus skill tree', keys: ['Ctrl+Shift+E'], run: () => services.navigation.focusTree() },
    { id: 'go.editor', group: 'Go', title: 'Focus first editor group', keys: ['Ctrl+1'], when: hasTab, run: () => services.navigation.focusEditor(0) },
    { id: 'go.editor2', group: 'Go', title: 'Focus second editor group', keys: ['Ctrl+2'], when: () => inEditor() && tabs.groups.length > 1, run: () => services.navigation.focusEditor(1) },
    { id: 'go.editor3', group: 'Go', title: 'Focus third editor group', keys: ['Ctrl+3'], when: () => inEditor() && tabs.groups.length > 2, run: () => services.navigation.focusEditor(2) },
    { id: 'go.crumbs', group: 'Go', title: 'Focus breadcrumbs', keys: ['Ctrl+Shift+.'], words: 'path of the file', when: () => inEditor() && tabs.document !== null, run: () => services.editor.crumbsFocus.send() },
    { id: 'go.back', group: 'Go', title: 'Go back', keys: ['Alt+Left'], words: 'place before history', when: () => inEditor() && tabs.canGoBack, run: () => tabs.goBack() },
    { id: 'go.forward', group: 'Go', title: 'Go forward', keys: ['Alt+Right'], words: 'place history', when: () => inEditor() && tabs.canGoOn, run: () => tabs.goOn() },
    { id: 'go.nextProblem', group: 'Go', title: 'Next problem', keys: ['F8'], when: inEditor, run: () => services.files.stepProblem(1) },
    { id: 'go.previousProblem', group: 'Go', title: 'Previous problem', keys: ['Shift+F8'], when: inEditor, run: () => services.files.stepProblem(-1) },
    { id: 'problem.fix', group: 'Go', title: 'Quick fix…', keys: ['Ctrl+.'], words: 'lightbulb repair problem', when: hasText, run: () => services.fixes.here() },
    { id: 'go.recentTab', group: 'Go', title: 'Next recently used tab', words: 'switch tabs by last use', keys: ['Ctrl+Tab'], hidden: true, when: hasTab, run: () => tabs.switcher.step(1) },
    { id: 'go.recentTabBack', group: 'Go', title: 'Previous recently used tab', words: 'switch tabs by last use', keys: ['Ctrl+Shift+Tab'], hidden: true, when: hasTab, run: () => tabs.switcher.step(-1) },
    { id: 'go.lastTab', group: 'Go', title: 'Last used tab', words: 'back before recent switch', when: () => hasTab() && tabs.list.length > 1, run: () => tabs.switcher.back() },
    { id: 'go.nextTab', group: 'Go', title: 'Next tab', keys: ['Ctrl+PageDown'], when: hasTab, run: () => tabs.step(1) },
    { id: 'go.previousTab', group: 'Go', title: 'Previous tab', keys: ['Ctrl+PageUp'], when: hasTab, run: () => tabs.step(-1) },
  ];
}
