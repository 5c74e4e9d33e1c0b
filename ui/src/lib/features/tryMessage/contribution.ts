import type { Contribution } from '$lib/workbench/contribution';
import { TryMessage } from './tryMessage.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:tryMessage': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly tryMessage: TryMessage;
  }
}

export const tryMessage: Contribution = {
  id: 'tryMessage',
  overlays: [{ id: 'tryMessage', isOpen: ({ tryMessage }) => tryMessage.open, load: () => import('./TryMessageOverlay.svelte') }],
  services: { tryMessage: ({ client }) => new TryMessage(client) },
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
};
