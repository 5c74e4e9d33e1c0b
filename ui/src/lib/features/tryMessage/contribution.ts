import type { Contribution } from '$lib/workbench/contribution';
import { SearchStatus, searchStatusText } from './searchStatus.svelte';
import { TryMessage } from './tryMessage.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:tryMessage': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly searchStatus: SearchStatus;
    readonly tryMessage: TryMessage;
  }
}

export const tryMessage: Contribution = {
  id: 'tryMessage',
  overlays: [{ id: 'tryMessage', isOpen: ({ tryMessage }) => tryMessage.open, load: () => import('./TryMessageOverlay.svelte') }],
  statusItems: [{ id: 'search', side: 'left', order: 45, status: searchStatusText }],
  services: { searchStatus: ({ client, feed }) => new SearchStatus(client, feed), tryMessage: ({ client }) => new TryMessage(client) },
  commands: ({ tryMessage }) => [
    {
      id: 'skill.tryMessage',
      group: 'Skill',
      title: 'Try a message',
      inGuide: true,
      keywords: 'trigger activate fire match request recommend find which description',
      run: () => {
        tryMessage.open = true;
      },
    },
  ],
  lifecycle: ({ searchStatus }) => ({ reset: () => searchStatus.reset(), idle: () => searchStatus.load() }),
};
