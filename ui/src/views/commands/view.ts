import type { Command } from '$lib/commands';
import type { Studio } from '../studio.svelte';
import { placeOf } from './place';

export function viewCommands(studio: Studio): Command[] {
  const { layout, theme } = studio;
  const { inStudio } = placeOf(studio);

  return [
    { id: 'view.studio', group: 'View', title: 'Show the Studio', when: () => !inStudio(), run: () => (layout.view = 'studio') },
    { id: 'view.settings', group: 'View', title: 'Open settings', keys: ['Ctrl+,'], words: 'theme keyboard shortcuts', run: () => studio.openSettings(studio.settingsSection) },
    { id: 'view.sidebar', group: 'View', title: 'Show or hide the side panel', keys: ['Ctrl+B'], run: () => layout.set({ showSidebar: !layout.showSidebar }) },
    { id: 'view.inspector', group: 'View', title: 'Show or hide the inspector', keys: ['Ctrl+Alt+B'], run: () => layout.set({ showInspector: !layout.showInspector }) },
    { id: 'view.panel', group: 'View', title: 'Show or hide the panel', keys: ['Ctrl+J'], words: 'bottom', run: () => layout.togglePanel() },
    { id: 'view.problems', group: 'View', title: 'Show or hide problems', keys: ['Ctrl+Shift+M'], run: () => layout.togglePanel('problems') },
    { id: 'view.tasks', group: 'View', title: 'Show or hide tasks', keys: ['Ctrl+Alt+K'], words: 'running progress cancel stop jobs', run: () => layout.togglePanel('tasks') },
    { id: 'view.preview', group: 'View', title: 'Show the preview', when: inStudio, run: () => layout.set({ showInspector: true, inspectorTab: 'preview' }) },
    { id: 'view.collapse', group: 'View', title: 'Collapse all skills', when: inStudio, run: () => studio.tree.collapseAll() },
    { id: 'view.light', group: 'View', title: 'Use the light theme', when: () => theme.choice !== 'light', run: () => theme.choose('light') },
    { id: 'view.dark', group: 'View', title: 'Use the dark theme', when: () => theme.choice !== 'dark', run: () => theme.choose('dark') },
    { id: 'view.system', group: 'View', title: 'Use the theme of the system', when: () => theme.choice !== 'system', run: () => theme.choose('system') },
  ];
}
