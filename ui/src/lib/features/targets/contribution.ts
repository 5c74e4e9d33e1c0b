import type { Contribution } from '$lib/workbench/contribution';
import { CopyReview } from './copyReview.svelte';
import { DeployedCopies } from './deployedCopies.svelte';
import { Deployment } from './deployment.svelte';
import { Kits } from './kits.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:deploy': true;
    'overlay:copyReview': true;
    'overlay:kit': true;
    'settings:targets': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly deployment: Deployment;
    readonly deployedCopies: DeployedCopies;
    readonly copyReview: CopyReview;
    readonly kits: Kits;
  }
}

export const targets: Contribution = {
  id: 'targets',
  overlays: [
    { id: 'deploy', isOpen: ({ deployment }) => deployment.skills !== null, load: () => import('./DeployOverlay.svelte') },
    { id: 'copyReview', isOpen: ({ copyReview }) => copyReview.copy !== null, load: () => import('./CopyReviewOverlay.svelte') },
    { id: 'kit', isOpen: ({ kits }) => kits.adding !== null, load: () => import('./KitOverlay.svelte') },
  ],
  settingsSections: [{ id: 'targets', label: 'Targets', order: 55, guide: 'targets', after: { load: () => import('./TargetsSettings.svelte') } }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'targets', order: 125, load: () => import('./guide/targets.md?raw') }],
  services: {
    deployment: ({ client }) => new Deployment(client),
    copyReview: ({ client }) => new CopyReview(client),
    deployedCopies: ({ client, toasts, notifications, copyReview }) => new DeployedCopies(client, toasts, notifications, copyReview),
    kits: ({ client, toasts, notifications }) => new Kits(client, toasts, notifications),
  },
  commands: ({ context, deployment, kits }) => [
    {
      id: 'skill.deploy',
      group: 'Skill',
      title: 'Deploy skill to agents',
      inGuide: true,
      keywords: 'copy claude codex cursor gemini target publish',
      when: context.selected.exists,
      run: context.selected.with((one) => deployment.start([one])),
    },
    { id: 'skill.addToKit', group: 'Skill', title: 'Add skill to kit', inGuide: true, keywords: 'set bundle deploy collection', when: context.selected.exists, run: context.selected.with((one) => kits.ask(one)) },
  ],
};
