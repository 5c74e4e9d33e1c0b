import type { Command } from '$lib/commands';
import { showMainMenu } from './mainMenu';
import { focusRegion } from './regions';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'commands' | 'context' | 'contextMenu' | 'help' | 'layout' | 'settingsPage' | 'theme' | 'tree'>;

export function viewCommands(services: Needs): Command[] {
  const { layout, theme } = services;
  const { inEditor } = services.context;

  return [
    { id: 'view.studio', group: 'View', title: 'Show editor', inGuide: true, when: () => !inEditor(), run: () => (layout.view = 'editor') },
    { id: 'view.settings', group: 'View', title: 'Open settings', inGuide: true, keys: ['Ctrl+,'], keywords: 'theme preferences options', run: () => services.settingsPage.open() },
    { id: 'view.searchSettings', group: 'View', title: 'Search settings', keys: ['Ctrl+F'], when: () => layout.view === 'settings', run: () => services.settingsPage.search() },
    { id: 'view.keys', group: 'View', title: 'Open keyboard shortcuts', inGuide: true, keys: ['Ctrl+K Ctrl+S', 'Ctrl+Alt+,'], keywords: 'keybindings hotkeys change', run: () => services.settingsPage.open('keys') },
    { id: 'view.data', group: 'View', title: 'Show data locations', inGuide: true, keywords: 'folder path home backup database', run: () => services.settingsPage.open('data') },
    { id: 'view.menu', group: 'View', title: 'Show menu', keys: ['F10'], keywords: 'menu bar file edit view', hidden: true, run: () => showMainMenu(services, { x: 46, y: 4 }) },
    { id: 'view.nextRegion', group: 'View', title: 'Focus next part', keys: ['F6'], keywords: 'pane region window accessibility', run: () => focusRegion(document, 1) },
    { id: 'view.previousRegion', group: 'View', title: 'Focus previous part', keys: ['Shift+F6'], keywords: 'pane region window accessibility', run: () => focusRegion(document, -1) },
    { id: 'view.sidebar', group: 'View', title: 'Toggle sidebar', keys: ['Ctrl+B'], run: () => layout.sidebar.toggle() },
    { id: 'view.inspector', group: 'View', title: 'Toggle inspector', keys: ['Ctrl+Alt+B'], run: () => layout.inspector.toggle(services.context.isCrowded) },
    { id: 'view.panel', group: 'View', title: 'Toggle panel', keys: ['Ctrl+J'], keywords: 'bottom', run: () => layout.panel.toggle() },
    { id: 'view.problems', group: 'View', title: 'Toggle problems', inGuide: true, keys: ['Ctrl+Shift+M'], run: () => layout.panel.toggle('problems') },
    { id: 'view.tasks', group: 'View', title: 'Toggle tasks', inGuide: true, keys: ['Ctrl+Alt+K'], keywords: 'running progress cancel stop jobs', run: () => layout.panel.toggle('tasks') },
    { id: 'view.preview', group: 'View', title: 'Show preview', inGuide: true, when: inEditor, run: () => layout.inspector.show('preview') },
    { id: 'view.collapse', group: 'View', title: 'Collapse all skills', when: inEditor, run: () => services.tree.collapseAll() },
    { id: 'help.open', group: 'Help', title: 'Open guide', keywords: 'documentation manual how', run: () => services.help.open() },
    { id: 'help.here', group: 'Help', title: 'Open help for current view', keys: ['Shift+F1'], keywords: 'guide documentation', run: () => services.help.here() },
    { id: 'help.search', group: 'Help', title: 'Search help', keywords: 'documentation find how', run: () => services.help.search() },
    { id: 'help.find', group: 'Help', title: 'Find in guide', keys: ['Ctrl+F'], hidden: true, when: () => layout.view === 'help', run: () => services.help.search() },
    { id: 'help.back', group: 'Help', title: 'Go to previous guide page', keys: ['Alt+Left'], hidden: true, when: () => layout.view === 'help' && services.help.canGoBack, run: () => services.help.back() },
    { id: 'help.about', group: 'Help', title: 'About Inklings Skill Studio', keywords: 'version license', run: () => services.help.open('about') },
    { id: 'view.light', group: 'View', title: 'Use light theme', when: () => theme.choice !== 'light', run: () => theme.choose('light') },
    { id: 'view.dark', group: 'View', title: 'Use dark theme', when: () => theme.choice !== 'dark', run: () => theme.choose('dark') },
    { id: 'view.system', group: 'View', title: 'Use system theme', when: () => theme.choice !== 'system', run: () => theme.choose('system') },
  ];
}
