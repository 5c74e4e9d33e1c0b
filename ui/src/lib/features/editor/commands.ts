import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'editor' | 'tabs'>;

export function editorCommands(services: Needs): Command[] {
  const { tabs, editor } = services;
  const { inEditor, hasTab, hasText } = services.context;
  const canSplit = (): boolean => inEditor() && tabs.canSplit;
  const several = (): boolean => inEditor() && tabs.groups.length > 1;

  return [
    { id: 'editor.splitRight', group: 'Editor', title: 'Split editor right', keys: ['Ctrl+\\'], words: 'beside second group column', when: canSplit, run: () => tabs.split('right') },
    { id: 'editor.splitDown', group: 'Editor', title: 'Split editor down', keys: ['Ctrl+Shift+\\'], words: 'below second group row', when: canSplit, run: () => tabs.split('down') },
    { id: 'editor.join', group: 'Editor', title: 'Join all editor groups', words: 'groups one merge split', when: several, run: () => tabs.join() },
    { id: 'editor.tabToNext', group: 'Editor', title: 'Move tab to next group', keys: ['Ctrl+Alt+Right'], words: 'group right', when: hasTab, run: () => tabs.moveToGroup(1) },
    { id: 'editor.tabToPrevious', group: 'Editor', title: 'Move tab to previous group', keys: ['Ctrl+Alt+Left'], words: 'group left', when: hasTab, run: () => tabs.moveToGroup(-1) },
    { id: 'editor.tabRight', group: 'Editor', title: 'Move tab right', keys: ['Ctrl+Shift+PageDown'], when: hasTab, run: () => tabs.shift(1) },
    { id: 'editor.tabLeft', group: 'Editor', title: 'Move tab left', keys: ['Ctrl+Shift+PageUp'], when: hasTab, run: () => tabs.shift(-1) },
    { id: 'editor.wrap', group: 'Editor', title: 'Toggle word wrap', keys: ['Alt+Z'], words: 'long lines toggle', when: hasText, run: () => tabs.document && editor.toggleWrap(tabs.document.path) },
  ];
}
