import type { Contribution } from '$lib/workbench/contribution';
import { AgentList } from './agentList.svelte';
import { SkillPick } from './skillPick.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'settings:agents': true;
    'overlay:agentSkill': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    /** Profiles for chats; `agents` are other programs. */
    readonly chatAgents: AgentList;
    readonly agentSkillPick: SkillPick;
  }
}

export const agents: Contribution = {
  id: 'agents',
  overlays: [{ id: 'agentSkill', load: () => import('./AgentSkillOverlay.svelte') }],
  settingsSections: [
    { id: 'agents', label: 'Agents', about: 'Profiles for chats, with their own instructions, model, tools and skills.', order: 74, guide: 'chat', after: { load: () => import('./AgentsSettings.svelte') } },
  ],
  settings: () => import('./settings'),
  services: {
    chatAgents: ({ client, feed, toasts, notifications }) => new AgentList(client, feed, toasts, notifications),
    agentSkillPick: ({ catalog, chatAgents }) => new SkillPick(catalog, chatAgents),
  },
  commands: ({ settingsPage }) => [
    { id: 'agent.manage', group: 'Chat', title: 'Manage agents', inGuide: true, keywords: 'profile persona create rename delete assign skills tools', run: () => settingsPage.open('agents') },
  ],
  lifecycle: ({ chatAgents }) => ({ keep: () => chatAgents.save() }),
};
