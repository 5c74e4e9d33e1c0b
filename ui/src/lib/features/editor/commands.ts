import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';
import { customEditorOf, modeOf } from './customEditors';
import { loadedText } from './document/document.svelte';

type Needs = Pick<Services, 'context' | 'contributions' | 'editor' | 'tabs'>;

export function editorCommands(services: Needs): Command[] {
  const { tabs, editor } = services;
  const { inEditor, hasTab, hasText } = services.context;
  const canSplit = (): boolean => inEditor() && tabs.arrangement.canSplit;
  const several = (): boolean => inEditor() && tabs.groups.list.length > 1;

  const hasForm = (): boolean => {
    const text = loadedText(tabs.document);
    return inEditor() && text !== null && customEditorOf(services, text) !== null;
  };

  function toggleForm(): void {
    const { active } = tabs.groups;
    if (active.active?.kind !== 'file') return;
    active.showAs(modeOf(active.active, customEditorOf(services, active.active.document)) === 'text' ? 'custom' : 'text');
    active.focusRequest.send();
  }

  function showFormAndText(): void {
    const { active } = tabs.groups;
    if (!active.document) return;
    active.showAs('custom');
    tabs.open(active.document.file.key, { beside: true });
    tabs.groups.active.showAs('text');
  }

  return [
    { id: 'editor.splitRight', group: 'Editor', title: 'Split editor right', keys: ['Ctrl+\\'], keywords: 'beside second group column', when: canSplit, run: () => tabs.arrangement.split('right') },
    { id: 'editor.splitDown', group: 'Editor', title: 'Split editor down', keys: ['Ctrl+Shift+\\'], keywords: 'below second group row', when: canSplit, run: () => tabs.arrangement.split('down') },
    { id: 'editor.join', group: 'Editor', title: 'Join all editor groups', keywords: 'groups one merge split', when: several, run: () => tabs.arrangement.joinGroups() },
    { id: 'editor.tabToNext', group: 'Editor', title: 'Move tab to next group', keys: ['Ctrl+Alt+Right'], keywords: 'group right', when: hasTab, run: () => tabs.arrangement.moveToGroup(1) },
    { id: 'editor.tabToPrevious', group: 'Editor', title: 'Move tab to previous group', keys: ['Ctrl+Alt+Left'], keywords: 'group left', when: hasTab, run: () => tabs.arrangement.moveToGroup(-1) },
    { id: 'editor.tabRight', group: 'Editor', title: 'Move tab right', keys: ['Ctrl+Shift+PageDown'], when: hasTab, run: () => tabs.arrangement.shift(1) },
    { id: 'editor.tabLeft', group: 'Editor', title: 'Move tab left', keys: ['Ctrl+Shift+PageUp'], when: hasTab, run: () => tabs.arrangement.shift(-1) },
    { id: 'editor.toggleForm', group: 'Editor', title: 'Toggle form and JSON', keys: ['Ctrl+Alt+J'], keywords: 'dspy module program manifest state text', when: hasForm, run: () => toggleForm() },
    { id: 'editor.formBeside', group: 'Editor', title: 'Show form and JSON side by side', keywords: 'beside split dspy module manifest text', when: () => hasForm() && (canSplit() || several()), run: () => showFormAndText() },
    { id: 'editor.wrap', group: 'Editor', title: 'Toggle word wrap', keys: ['Alt+Z'], keywords: 'long lines toggle', when: hasText, run: () => tabs.document && editor.presentation.toggleWrap(tabs.document.file.path) },
  ];
}
