import type { Command } from '$lib/commands';
import type { Studio } from '$lib/app/studio.svelte';
import { placeOf } from '$lib/workbench/whenContext';

export function filesCommands(studio: Studio): Command[] {
  const { tabs } = studio;
  const { inStudio, hasTab, hasText, isDirty, canEdit, withSkill } = placeOf(studio);

  return [
    { id: 'file.save', group: 'File', title: 'Save', keys: ['Ctrl+S'], when: isDirty, run: () => studio.files.save() },
    { id: 'file.saveAll', group: 'File', title: 'Save all', keys: ['Ctrl+Alt+S'], when: () => tabs.documents.some((one) => one.dirty), run: () => studio.files.saveAll() },
    { id: 'file.discard', group: 'File', title: 'Discard unsaved changes', words: 'revert', when: isDirty, run: () => studio.files.discard() },
    { id: 'file.drafts', group: 'File', title: 'Open unsaved drafts', when: () => studio.catalog.drafts.length > 0, run: () => studio.files.openDrafts() },
    { id: 'file.close', group: 'File', title: 'Close tab', keys: ['Ctrl+W', 'Ctrl+F4'], when: hasTab, run: () => studio.files.closeTab() },
    { id: 'file.closeAll', group: 'File', title: 'Close all tabs', when: hasTab, run: () => studio.files.closeTabs(() => true) },
    { id: 'file.reopen', group: 'File', title: 'Reopen closed tab', keys: ['Ctrl+Shift+T'], when: () => inStudio() && tabs.canReopen, run: () => tabs.reopen() },
    { id: 'file.find', group: 'File', title: 'Find in file', keys: ['Ctrl+F'], when: hasText, run: () => studio.files.findInText('search') },
    { id: 'file.replace', group: 'File', title: 'Find and replace in file', keys: ['Ctrl+H'], when: hasText, run: () => studio.files.findInText('replace') },
    { id: 'file.copyPath', group: 'File', title: 'Copy path of file', when: hasText, run: () => studio.copy(tabs.document?.path ?? '', 'the path') },
    {
      id: 'file.rename',
      group: 'File',
      title: 'Rename file',
      words: 'move',
      when: () => hasText() && canEdit() && tabs.document?.entry?.role !== 'main' && tabs.document?.entry?.role !== 'manifest',
      run: withSkill((one) => studio.treeActions.renameFile(one, tabs.document?.path ?? '')),
    },
    {
      id: 'file.delete',
      group: 'File',
      title: 'Delete file',
      when: () => hasText() && canEdit() && tabs.document?.entry?.role !== 'main',
      run: withSkill((one) => studio.treeActions.removeFile(one, tabs.document?.path ?? '')),
    },
  ];
}
