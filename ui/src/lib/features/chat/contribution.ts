import Icon from '@lucide/svelte/icons/message-square';
import type { Contribution } from '$lib/workbench/contribution';
import { DraftAttachments } from './attachments';
import { ChatController } from './chatController.svelte';
import { chatCommands } from './commands';
import { Notes } from './notes.svelte';
import { UnsentMessages } from './unsentMessages.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly chat: ChatController;
    readonly chatAttachments: DraftAttachments;
    readonly notes: Notes;
    readonly unsentMessages: UnsentMessages;
  }
}

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:chat': true;
    'settings:notes': true;
    'overlay:chatAgent': true;
  }
}

export const chat: Contribution = {
  id: 'chat',
  views: [
    {
      id: 'chat',
      isMain: true,
      title: 'Chat',
      icon: Icon,
      order: 35,
      command: 'chat.show',
      load: () => import('./ChatView.svelte'),
      guide: 'chat',
    },
  ],
  overlays: [{ id: 'chatAgent', load: () => import('./ChatAgentOverlay.svelte') }],
  settingsSections: [{ id: 'notes', label: 'Notes', about: 'Short texts that are part of the instructions for every answer in a chat: how you write dates, for example.', order: 75, guide: 'chat', after: { load: () => import('./NotesView.svelte') } }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'chat', order: 135, load: () => import('./guide/chat.md?raw') }],
  services: {
    chat: (services) => new ChatController(services),
    chatAttachments: (services) => new DraftAttachments(services),
    notes: ({ client }) => new Notes(client),
    unsentMessages: ({ client, settings }) => new UnsentMessages(client, settings),
  },
  commands: chatCommands,
  lifecycle: (services) => ({
    keep: () => Promise.all([services.unsentMessages.flush(), services.notes.save()]),
    reset: () => {
      services.unsentMessages.clear();
      services.chat.reset();
      services.notes.reset();
    },
    opened: () => {
      services.unsentMessages.restore();
      return Promise.resolve();
    },
  }),
};
