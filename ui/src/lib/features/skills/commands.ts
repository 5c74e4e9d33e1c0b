import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'agents' | 'context' | 'exporter' | 'files' | 'folders' | 'tabs' | 'treeActions'>;

export function skillsCommands(services: Needs): Command[] {
  const { tabs } = services;
  const { hasSkill, canEdit, withSkill } = services.context;

  return [
    { id: 'skill.new', group: 'Skill', title: 'New skill', keys: ['Ctrl+Alt+N'], words: 'create', run: () => services.files.newSkill() },
    { id: 'skill.newFile', group: 'Skill', title: 'New file', keys: ['Ctrl+N'], words: 'create artifact prompt script', when: canEdit, run: withSkill((one) => services.files.newFile(one)) },
    { id: 'skill.duplicate', group: 'Skill', title: 'Duplicate to edit', words: 'fork copy override', when: hasSkill, run: withSkill((one) => services.actions.duplicate(one, tabs.document?.path)) },
    { id: 'skill.rename', group: 'Skill', title: 'Rename skill', words: 'title', when: canEdit, run: withSkill((one) => services.treeActions.renameSkill(one)) },
    { id: 'skill.enable', group: 'Skill', title: 'Enable skill', when: () => hasSkill() && services.context.skill?.enabled === false, run: withSkill((one) => services.actions.structure.enable([one], true)) },
    { id: 'skill.disable', group: 'Skill', title: 'Disable skill', when: () => hasSkill() && services.context.skill?.enabled === true, run: withSkill((one) => services.actions.structure.enable([one], false)) },
    { id: 'skill.export', group: 'Skill', title: 'Export skill', words: 'SKILL.md folder package zip .skill json markdown', when: hasSkill, run: withSkill((one) => services.exporter.start([one])) },
    { id: 'skill.import', group: 'Skill', title: 'Import skills', words: 'folder package zip SKILL.md claude', run: () => services.folders.importFolder() },
    { id: 'skill.review', group: 'Skill', title: 'Review skills from other agents', words: 'import claude codex cursor gemini found', run: () => services.agents.show() },
    { id: 'skill.deleted', group: 'Skill', title: 'Show deleted skills', words: 'trash bin restore undelete recover', run: () => (services.actions.dialog = { kind: 'deleted' }) },
    { id: 'skill.delete', group: 'Skill', title: 'Delete skill', when: hasSkill, run: withSkill((one) => services.treeActions.removeSkills([one])) },
  ];
}
