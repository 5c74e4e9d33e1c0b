import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'editor' | 'files' | 'fixes' | 'navigation' | 'pages' | 'palette' | 'tabs' | 'workspace'>;

export function goCommands(services: Needs): Command[] {
  const { tabs, workspace } = services;
  const { inEditor, hasTab, hasText } = services.context;

  return [
    { id: 'go.commands', group: 'Go', title: 'Show all commands', inGuide: true, keys: ['Ctrl+Shift+P', 'F1'], hidden: true, run: () => services.palette.showCommands() },
    { id: 'go.quick', group: 'Go', title: 'Go to skill or file', inGuide: true, keys: ['Ctrl+P'], keywords: 'quick open search', run: () => services.palette.showQuickOpen() },
    { id: 'go.page', group: 'Go', title: 'Go to page', inGuide: true, keys: ['Ctrl+Shift+G'], keywords: 'open markdown wiki note', when: () => workspace.current !== null, run: () => services.pages.find() },
    { id: 'go.tree', group: 'Go', title: 'Focus skill tree', inGuide: true, keys: ['Ctrl+Shift+E'], run: () => services.navigation.focusTree() },
    { id: 'go.editor', group: 'Go', title: 'Focus first editor group', keys: ['Ctrl+1'], when: hasTab, run: () => services.navigation.focusEditor(0) },
    { id: 'go.editor2', group: 'Go', title: 'Focus second editor group', keys: ['Ctrl+2'], when: () => inEditor() && tabs.groups.list.length > 1, run: () => services.navigation.focusEditor(1) },
    { id: 'go.editor3', group: 'Go', title: 'Focus third editor group', keys: ['Ctrl+3'], when: () => inEditor() && tabs.groups.list.length > 2, run: () => services.navigation.focusEditor(2) },
    { id: 'go.crumbs', group: 'Go', title: 'Focus breadcrumbs', keys: ['Ctrl+Shift+.'], keywords: 'path of the file', when: () => inEditor() && tabs.document !== null, run: () => services.editor.crumbsFocus.send() },
    { id: 'go.back', group: 'Go', title: 'Go back', keys: ['Alt+Left'], keywords: 'place before history', when: () => inEditor() && tabs.history.canGoBack, run: () => tabs.history.goBack() },
    { id: 'go.forward', group: 'Go', title: 'Go forward', keys: ['Alt+Right'], keywords: 'place history', when: () => inEditor() && tabs.history.canGoForward, run: () => tabs.history.goForward() },
    { id: 'go.nextProblem', group: 'Go', title: 'Go to next problem', keys: ['F8'], when: inEditor, run: () => services.files.stepProblem(1) },
    { id: 'go.previousProblem', group: 'Go', title: 'Go to previous problem', keys: ['Shift+F8'], when: inEditor, run: () => services.files.stepProblem(-1) },
    { id: 'problem.fix', group: 'Go', title: 'Show quick fixes', keys: ['Ctrl+.'], keywords: 'lightbulb repair problem', when: hasText, run: () => services.fixes.here() },
    { id: 'go.recentTab', group: 'Go', title: 'Go to next recently used tab', keywords: 'switch tabs by last use', keys: ['Ctrl+Tab'], hidden: true, when: hasTab, run: () => tabs.switcher.step(1) },
    { id: 'go.recentTabBack', group: 'Go', title: 'Go to previous recently used tab', keywords: 'switch tabs by last use', keys: ['Ctrl+Shift+Tab'], hidden: true, when: hasTab, run: () => tabs.switcher.step(-1) },
    { id: 'go.lastTab', group: 'Go', title: 'Go to last used tab', keywords: 'back before recent switch', when: () => hasTab() && tabs.groups.tabs.length > 1, run: () => tabs.switcher.back() },
    { id: 'go.nextTab', group: 'Go', title: 'Go to next tab', keys: ['Ctrl+PageDown'], when: hasTab, run: () => tabs.switcher.stepInOrder(1) },
    { id: 'go.previousTab', group: 'Go', title: 'Go to previous tab', keys: ['Ctrl+PageUp'], when: hasTab, run: () => tabs.switcher.stepInOrder(-1) },
  ];
}
