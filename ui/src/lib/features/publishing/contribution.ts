import type { Contribution } from '$lib/workbench/contribution';
import { PublishingController } from './publishingController.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:publish': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly publishing: PublishingController;
  }
}

export const publishing: Contribution = {
  id: 'publishing',
  overlays: [{ id: 'publish', isOpen: ({ publishing }) => publishing.isOpen, load: () => import('./PublishOverlay.svelte') }],
  guidePages: [{ id: 'publishing', order: 133, load: () => import('./guide/publishing.md?raw') }],
  tasks,
  services: { publishing: (services) => new PublishingController(services) },
  commands: ({ context, publishing }) => [
    {
      id: 'skill.publish',
      group: 'Skill',
      title: 'Publish skills',
      inGuide: true,
      keywords: 'registry marketplace release version share create sign',
      run: () => publishing.start(context.selected.canEdit() && context.selected.skill ? [context.selected.skill] : []),
    },
  ],
  lifecycle: ({ publishing }) => ({ reset: () => publishing.dialog?.close() }),
};
