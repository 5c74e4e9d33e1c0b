import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'clipboard' | 'context' | 'documents' | 'editor' | 'files' | 'tabs' | 'treeActions' | 'treeRename'>;

export function filesCommands(services: Needs): Command[] {
  const { tabs } = services;
  const { inEditor, hasTab, hasText, isDirty, shown } = services.context;

  const search = (what: 'search' | 'replace'): void => {
    // Find works on text, so a custom editor switches to text first.
    tabs.groups.active.showAs('text');
    services.editor[what]();
  };

  return [
    { id: 'file.save', group: 'File', title: 'Save', keys: ['Ctrl+S'], when: isDirty, run: () => services.documents.save() },
    { id: 'file.saveAll', group: 'File', title: 'Save all', keys: ['Ctrl+Alt+S', 'Ctrl+K S'], when: () => tabs.documents.list.some((one) => one.content.dirty), run: () => services.documents.saveAll() },
    { id: 'file.discard', group: 'File', title: 'Discard unsaved changes', keywords: 'revert', when: isDirty, run: () => services.documents.discard() },
    { id: 'file.drafts', group: 'File', title: 'Open unsaved drafts', when: () => services.catalog.drafts.list.length > 0, run: () => services.files.openDrafts() },
    { id: 'file.close', group: 'File', title: 'Close tab', keys: ['Ctrl+W', 'Ctrl+F4'], when: hasTab, run: () => services.documents.closeTab() },
    { id: 'file.closeAll', group: 'File', title: 'Close all tabs', keys: ['Ctrl+K Ctrl+W'], when: hasTab, run: () => services.documents.closeTabs(() => true) },
    { id: 'file.reopen', group: 'File', title: 'Reopen closed tab', keys: ['Ctrl+Shift+T'], when: () => inEditor() && tabs.closed.canReopen, run: () => tabs.closed.reopen() },
    { id: 'file.find', group: 'File', title: 'Find in file', keys: ['Ctrl+F'], when: hasText, run: () => search('search') },
    { id: 'file.replace', group: 'File', title: 'Find and replace in file', keys: ['Ctrl+H'], when: hasText, run: () => search('replace') },
    { id: 'file.copyPath', group: 'File', title: 'Copy path of file', keys: ['Ctrl+K P'], when: hasText, run: () => services.clipboard.copy(tabs.document?.file.path ?? '', 'the path') },
    {
      id: 'file.rename',
      group: 'File',
      title: 'Rename file',
      keywords: 'move',
      when: () => hasText() && shown.canEdit() && tabs.document?.file.entry?.role !== 'main' && tabs.document?.file.entry?.role !== 'manifest',
      run: shown.with((one) => services.treeRename.file(one, tabs.document?.file.path ?? '')),
    },
    {
      id: 'file.delete',
      group: 'File',
      title: 'Delete file',
      when: () => hasText() && shown.canEdit() && tabs.document?.file.entry?.role !== 'main',
      run: shown.with((one) => services.treeActions.removeFile(one, tabs.document?.file.path ?? '')),
    },
  ];
}
