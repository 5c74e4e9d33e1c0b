import type { Command } from '$lib/commands';
import type { Studio } from '$lib/app/studio.svelte';
import { placeOf } from '$lib/workbench/whenContext';

export function skillsCommands(studio: Studio): Command[] {
  const { tabs } = studio;
  const { hasSkill, canEdit, withSkill, skill } = placeOf(studio);

  return [
    { id: 'skill.new', group: 'Skill', title: 'New skill', keys: ['Ctrl+Alt+N'], words: 'create', run: () => studio.files.newSkill() },
    { id: 'skill.newFile', group: 'Skill', title: 'New file', keys: ['Ctrl+N'], words: 'create artifact prompt script', when: canEdit, run: withSkill((one) => studio.files.newFile(one)) },
    { id: 'skill.duplicate', group: 'Skill', title: 'Duplicate to edit', words: 'fork copy override', when: hasSkill, run: withSkill((one) => studio.actions.duplicate(one, tabs.document?.path)) },
    { id: 'skill.rename', group: 'Skill', title: 'Rename skill', words: 'title', when: canEdit, run: withSkill((one) => studio.treeActions.renameSkill(one)) },
    { id: 'skill.enable', group: 'Skill', title: 'Enable skill', when: () => hasSkill() && skill()?.enabled === false, run: withSkill((one) => studio.actions.structure.enable([one], true)) },
    { id: 'skill.disable', group: 'Skill', title: 'Disable skill', when: () => hasSkill() && skill()?.enabled === true, run: withSkill((one) => studio.actions.structure.enable([one], false)) },
    { id: 'skill.export', group: 'Skill', title: 'Export skill', words: 'SKILL.md folder package zip .skill json markdown', when: hasSkill, run: withSkill((one) => studio.exporter.start([one])) },
    { id: 'skill.import', group: 'Skill', title: 'Import skills', words: 'folder package zip SKILL.md claude', run: () => studio.folders.importFolder() },
    { id: 'skill.review', group: 'Skill', title: 'Review skills from other agents', words: 'import claude codex cursor gemini found', run: () => studio.agents.show() },
    { id: 'skill.deleted', group: 'Skill', title: 'Show deleted skills', words: 'trash bin restore undelete recover', run: () => (studio.actions.dialog = { kind: 'deleted' }) },
    { id: 'skill.delete', group: 'Skill', title: 'Delete skill', when: hasSkill, run: withSkill((one) => studio.treeActions.removeSkills([one])) },
  ];
}
