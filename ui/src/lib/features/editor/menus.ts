import type { MenuItem } from '$lib/components';
import { compareFileItems } from '$lib/features/compare';
import type { Services } from '$lib/workbench/services';
import type { Tab } from './tabs/tabList.svelte';

type Needs = Pick<Services, 'clipboard' | 'commands' | 'compare' | 'documents' | 'editor' | 'notifications' | 'platform' | 'tabs' | 'tree'>;

/** The context menu of the editor. */
function textMenu(services: Needs): MenuItem[] {
  const { front } = services.editor;
  if (!front) return [];
  const command = (id: string, label: string, more: Partial<MenuItem> = {}): MenuItem => ({
    label,
    shortcut: services.commands.keyOf(id),
    run: () => services.commands.run(id),
    ...more,
  });
  const paste = async (): Promise<void> => {
    try {
      front.selection.paste((await services.platform.pasteText()) ?? '');
    } catch (cause) {
      services.notifications.report('Couldn’t paste', cause);
    }
  };
  const fixed = front.isReadOnly;
  return [
    command('go.definition', 'Go to definition'),
    command('go.references', 'Find references'),
    command('text.rename', 'Rename', { disabled: fixed }),
    command('problem.fix', 'Show quick fixes', { disabled: fixed }),
    { label: 'Cut', shortcut: 'Ctrl+X', disabled: fixed, separated: true, run: () => services.clipboard.copy(front.selection.cut(), 'the text') },
    { label: 'Copy', shortcut: 'Ctrl+C', run: () => services.clipboard.copy(front.selection.copy(), 'the text') },
    { label: 'Paste', shortcut: 'Ctrl+V', disabled: fixed, run: paste },
    command('text.format', 'Format file', { disabled: fixed, separated: true }),
    command('go.commands', 'Command palette…'),
  ];
}

/** The context menu of read-only text. */
function readingMenu(services: Needs, selected: string): MenuItem[] {
  return selected === '' ? [] : [{ label: 'Copy', shortcut: 'Ctrl+C', run: () => services.clipboard.copy(selected, 'the selection') }];
}

/** The context menu of a clicked element, if it is text. */
export function menuOfText(services: Needs, target: Element, at: { x: number; y: number }): { label: string; items: MenuItem[] } | null {
  const { front } = services.editor;
  if (front && target.closest('[data-pane=editor] .cm-content')) {
    front.selection.moveTo(at);
    return { label: 'Text', items: textMenu(services) };
  }
  if (target.closest('.cm-content, .selectable')) return { label: 'Text', items: readingMenu(services, document.getSelection()?.toString() ?? '') };
  return null;
}

export function tabMenu(services: Needs, tab: Tab): MenuItem[] {
  const group = services.tabs.groups.of(tab.id);
  const key = (id: string): string | undefined => services.commands.keyOf(id);
  const items: MenuItem[] = [
    { label: 'Close', shortcut: key('file.close'), run: () => services.documents.closeTab(tab.id) },
    { label: 'Close others', run: () => services.documents.closeTabs((one) => one.id !== tab.id && services.tabs.groups.of(one.id) === group) },
    { label: 'Close all', run: () => services.documents.closeTabs((one) => services.tabs.groups.of(one.id) === group) },
    { label: 'Split right', shortcut: key('editor.splitRight'), disabled: !services.tabs.arrangement.canSplit, separated: true, run: () => services.tabs.arrangement.split('right', tab.id) },
    { label: 'Split down', shortcut: key('editor.splitDown'), disabled: !services.tabs.arrangement.canSplit, run: () => services.tabs.arrangement.split('down', tab.id) },
  ];
  if (tab.kind === 'file') {
    const { document } = tab;
    items.push(
      { label: 'Keep open', disabled: !tab.preview, separated: true, run: () => services.tabs.arrangement.pin(tab.id) },
      { label: 'Copy path', run: () => services.clipboard.copy(document.file.path, 'the path') },
      { label: 'Show in tree', run: () => services.tree.reveal(document.file.skill, document.file.path) },
      ...compareFileItems(services, document.file.skill, document.file.path),
      { label: 'Compare with saved', disabled: !document.content.dirty, run: () => services.compare.withSaved(document) },
      { label: 'Discard changes', disabled: !document.content.dirty, separated: true, run: () => services.documents.discard(document) },
    );
  }
  return items;
}
