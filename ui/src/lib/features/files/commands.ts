import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'clipboard' | 'context' | 'files' | 'tabs' | 'treeActions'>;

export function filesCommands(services: Needs): Command[] {
  const { tabs } = services;
  const { inEditor, hasTab, hasText, isDirty, canEdit, withSkill } = services.context;

  return [
    { id: 'file.save', group: 'File', title: 'Save', keys: ['Ctrl+S'], when: isDirty, run: () => services.files.save() },
    { id: 'file.saveAll', group: 'File', title: 'Save all', keys: ['Ctrl+Alt+S'], when: () => tabs.documents.some((one) => one.dirty), run: () => services.files.saveAll() },
    { id: 'file.discard', group: 'File', title: 'Discard unsaved changes', words: 'revert', when: isDirty, run: () => services.files.discard() },
    { id: 'file.drafts', group: 'File', title: 'Open unsaved drafts', when: () => services.catalog.drafts.length > 0, run: () => services.files.openDrafts() },
    { id: 'file.close', group: 'File', title: 'Close tab', keys: ['Ctrl+W', 'Ctrl+F4'], when: hasTab, run: () => services.files.closeTab() },
    { id: 'file.closeAll', group: 'File', title: 'Close all tabs', when: hasTab, run: () => services.files.closeTabs(() => true) },
    { id: 'file.reopen', group: 'File', title: 'Reopen closed tab', keys: ['Ctrl+Shift+T'], when: () => inEditor() && tabs.canReopen, run: () => tabs.reopen() },
    { id: 'file.find', group: 'File', title: 'Find in file', keys: ['Ctrl+F'], when: hasText, run: () => services.files.findInText('search') },
    { id: 'file.replace', group: 'File', title: 'Find and replace in file', keys: ['Ctrl+H'], when: hasText, run: () => services.files.findInText('replace') },
    { id: 'file.copyPath', group: 'File', title: 'Copy path of file', when: hasText, run: () => services.clipboard.copy(tabs.document?.path ?? '', 'the path') },
    {
      id: 'file.rename',
      group: 'File',
      title: 'Rename file',
      words: 'move',
      when: () => hasText() && canEdit() && tabs.document?.entry?.role !== 'main' && tabs.document?.entry?.role !== 'manifest',
      run: withSkill((one) => services.treeActions.renameFile(one, tabs.document?.path ?? '')),
    },
    {
      id: 'file.delete',
      group: 'File',
      title: 'Delete file',
      when: () => hasText() && canEdit() && tabs.document?.entry?.role !== 'main',
      run: withSkill((one) => services.treeActions.removeFile(one, tabs.document?.path ?? '')),
    },
  ];
}
