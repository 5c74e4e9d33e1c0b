import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

export function linkCommands(services: Pick<Services, 'context' | 'linkActions' | 'links'>): Command[] {
  const { context, linkActions, links } = services;
  const linked = (): ReturnType<typeof links.of> => (context.selected.skill ? links.of(context.selected.skill) : null);

  return [
    { id: 'link.add', group: 'Skill', title: 'Link skill folder', inGuide: true, keywords: 'claude code codex agent folder git', run: () => linkActions.chooseFolder() },
    {
      id: 'link.remove',
      group: 'Skill',
      title: 'Unlink skill folder',
      when: () => context.inEditor() && linked() !== null,
      run: () => {
        const link = linked();
        if (link) void linkActions.unlink(link);
      },
    },
    { id: 'link.sync', group: 'Skill', title: 'Sync linked skills', keywords: 'claude code folder disk reload', when: () => links.list.length > 0, run: () => linkActions.sync(null) },
  ];
}
