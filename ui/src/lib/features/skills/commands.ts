import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'agents' | 'context' | 'exporter' | 'files' | 'importSource' | 'notifications' | 'pinnedSkills' | 'tabs' | 'treeActions' | 'treeRename'>;

export function skillsCommands(services: Needs): Command[] {
  const { pinnedSkills, tabs } = services;
  const { selected } = services.context;

  return [
    { id: 'skill.new', group: 'Skill', title: 'New skill', inGuide: true, keys: ['Ctrl+Alt+N'], keywords: 'create', run: () => services.files.newSkill() },
    { id: 'skill.newFile', group: 'Skill', title: 'New file', keys: ['Ctrl+N'], keywords: 'create artifact prompt script', when: selected.canEdit, run: selected.with((one) => services.files.newFile(one)) },
    { id: 'skill.duplicate', group: 'Skill', title: 'Duplicate to edit', keywords: 'fork copy override', when: selected.exists, run: selected.with((one) => services.actions.duplicate(one, tabs.document?.file.skill.id === one.id ? tabs.document.file.path : undefined)) },
    { id: 'skill.rename', group: 'Skill', title: 'Rename skill', keywords: 'title', when: selected.canEdit, run: selected.with((one) => services.treeRename.skill(one)) },
    { id: 'skill.enable', group: 'Skill', title: 'Enable skill', when: () => selected.exists() && selected.skill?.enabled === false, run: selected.with((one) => services.actions.structure.enable([one], true)) },
    { id: 'skill.disable', group: 'Skill', title: 'Disable skill', when: () => selected.exists() && selected.skill?.enabled === true, run: selected.with((one) => services.actions.structure.enable([one], false)) },
    { id: 'skill.pin', group: 'Skill', title: 'Pin skill in chats', keywords: 'favorite index first', when: () => selected.exists() && !pinnedSkills.has(selected.skill?.slug ?? ''), run: selected.with((one) => pinnedSkills.set(one.slug, true)) },
    { id: 'skill.unpin', group: 'Skill', title: 'Unpin skill in chats', when: () => selected.exists() && pinnedSkills.has(selected.skill?.slug ?? ''), run: selected.with((one) => pinnedSkills.set(one.slug, false)) },
    { id: 'skill.export', group: 'Skill', title: 'Export skill', inGuide: true, keywords: 'SKILL.md folder package zip .skill json markdown', when: selected.exists, run: selected.with((one) => services.exporter.start([one])) },
    { id: 'skill.import', group: 'Skill', title: 'Import skills', inGuide: true, keywords: 'folder package zip SKILL.md claude git github repository url clone', run: () => services.importSource.choose() },
    { id: 'skill.update', group: 'Skill', title: 'Update skill from its source', inGuide: true, keywords: 'import newer version pull repository', when: selected.exists, run: selected.with(async (one) => services.notifications.reportFailure('Couldn’t update the skill', await services.importSource.update(one, one.name))) },
    { id: 'skill.review', group: 'Skill', title: 'Review skills from other agents', inGuide: true, keywords: 'import claude codex cursor gemini found', run: () => services.agents.show() },
    { id: 'skill.deleted', group: 'Skill', title: 'Show deleted skills', inGuide: true, keywords: 'trash bin restore undelete recover', run: () => (services.actions.dialog = { kind: 'deleted' }) },
    {
      id: 'skill.delete',
      group: 'Skill',
      get title() {
        const skill = selected.exists() ? selected.skill : null;
        return skill ? `Delete skill: ${skill.name}` : 'Delete skill';
      },
      when: selected.exists,
      run: selected.with((one) => services.treeActions.removeSkills([one])),
    },
  ];
}
