import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'chat' | 'layout'>;

export function chatCommands({ chat, layout }: Needs): Command[] {
  const isShown = (): boolean => layout.view === 'chat';
  const { conversation } = chat;

  return [
    { id: 'chat.show', group: 'Chat', title: 'Show chat', inGuide: true, keys: ['Ctrl+Alt+C'], keywords: 'ask model assistant conversation', run: () => chat.show() },
    { id: 'chat.new', group: 'Chat', title: 'New chat', inGuide: true, keywords: 'session conversation', run: () => chat.start() },
    { id: 'chat.compose', group: 'Chat', title: 'Compose a skill in a chat', inGuide: true, keywords: 'composer create new generate write', run: () => chat.start({ text: 'Write a skill that ' }) },
    { id: 'chat.agent', group: 'Chat', title: 'Choose agent of chat', keywords: 'profile persona', when: isShown, run: () => chat.agent.ask() },
    { id: 'chat.withdraw', group: 'Chat', title: 'Withdraw permissions of tools', keywords: 'always allow ask again consent revoke', run: () => chat.actions.withdraw() },
    { id: 'chat.stop', group: 'Chat', title: 'Stop the answer', when: () => isShown() && conversation.running, run: () => conversation.stop() },
    { id: 'chat.retry', group: 'Chat', title: 'Write another answer', when: () => isShown() && !conversation.running && conversation.last !== null, run: () => conversation.retry() },
  ];
}
