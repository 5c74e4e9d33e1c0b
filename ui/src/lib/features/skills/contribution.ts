import { plural } from '$lib/domain';
import type { Contribution } from '$lib/workbench/contribution';
import { skillsCommands } from './commands';
import { PinnedSkills } from './pinnedSkills';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'settings:skills': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly pinnedSkills: PinnedSkills;
  }
}

export const skills: Contribution = {
  id: 'skills',
  statusItems: [
    {
      id: 'skills',
      side: 'left',
      order: 40,
      // The library counts them itself.
      status: ({ catalog, layout }) => (layout.view === 'library' ? null : { text: plural(catalog.skills.filter((skill) => !skill.shadowed).length, 'skill') }),
    },
  ],
  settingsSections: [{ id: 'skills', label: 'Skills', order: 30, guide: 'skills', after: { load: () => import('./SkillsSettings.svelte') } }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'skills', order: 20, load: () => import('./guide/skills.md?raw') }],
  services: { pinnedSkills: ({ settings }) => new PinnedSkills(settings) },
  commands: skillsCommands,
};
