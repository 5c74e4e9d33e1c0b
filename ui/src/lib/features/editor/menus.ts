import type { MenuItem } from '$lib/components';
import { compareFileItems } from '$lib/features/compare';
import type { Services } from '$lib/workbench/services';
import type { Tab } from './tabs.svelte';

type Needs = Pick<Services, 'clipboard' | 'commands' | 'compare' | 'editor' | 'files' | 'notifications' | 'platform' | 'tabs' | 'tree'>;

/** The context menu of the text in front. */
export function textMenu(services: Needs): MenuItem[] {
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
      front.insert((await services.platform.pasteText()) ?? '');
    } catch (cause) {
      services.notifications.report('Couldn’t paste', cause);
    }
  };
  const fixed = front.isReadOnly;
  return [
    command('go.definition', 'Go to definition'),
    command('go.references', 'Find references'),
    command('text.rename', 'Rename', { disabled: fixed }),
    command('problem.fix', 'Quick fix…', { disabled: fixed }),
    { label: 'Cut', shortcut: 'Ctrl+X', disabled: fixed, separated: true, run: () => services.clipboard.copy(front.take(true), 'the text') },
    { label: 'Copy', shortcut: 'Ctrl+C', run: () => services.clipboard.copy(front.take(false), 'the text') },
    { label: 'Paste', shortcut: 'Ctrl+V', disabled: fixed, run: paste },
    command('text.format', 'Format file', { disabled: fixed, separated: true }),
    command('go.commands', 'Command palette…'),
  ];
}

/** The context menu of text that is only read: what is selected can be copied. */
export function readingMenu(services: Needs, selected: string): MenuItem[] {
  return selected === '' ? [] : [{ label: 'Copy', shortcut: 'Ctrl+C', run: () => services.clipboard.copy(selected, 'the selection') }];
}

/** The context menu of a tab. */
export function tabMenu(services: Needs, tab: Tab): MenuItem[] {
  const group = services.tabs.groupOf(tab.id);
  const key = (id: string): string | undefined => services.commands.keyOf(id);
  const items: MenuItem[] = [
    { label: 'Close', shortcut: key('file.close'), run: () => services.files.closeTab(tab.id) },
    { label: 'Close others', run: () => services.files.closeTabs((one) => one.id !== tab.id && services.tabs.groupOf(one.id) === group) },
    { label: 'Close all', run: () => services.files.closeTabs((one) => services.tabs.groupOf(one.id) === group) },
    { label: 'Split right', shortcut: key('editor.splitRight'), disabled: !services.tabs.canSplit, separated: true, run: () => services.tabs.split('right', tab.id) },
    { label: 'Split down', shortcut: key('editor.splitDown'), disabled: !services.tabs.canSplit, run: () => services.tabs.split('down', tab.id) },
  ];
  if (tab.kind === 'file') {
    const { document } = tab;
    items.push(
      { label: 'Keep open', disabled: !tab.preview, separated: true, run: () => services.tabs.pin(tab.id) },
      { label: 'Copy path', run: () => services.clipboard.copy(document.path, 'the path') },
      { label: 'Show in tree', run: () => services.tree.reveal({ scope: document.scope, id: document.skillId }, document.path) },
      ...compareFileItems(services, { scope: document.scope, id: document.skillId }, document.path),
      { label: 'Compare with saved', disabled: !document.dirty, run: () => services.compare.withSaved(document) },
      { label: 'Discard changes', disabled: !document.dirty, separated: true, run: () => services.files.discard(document) },
    );
  }
  return items;
}
