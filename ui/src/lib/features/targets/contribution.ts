import type { Contribution } from '$lib/workbench/contribution';
import { DeployedCopies } from './deployedCopies.svelte';
import { Deployment } from './deployment.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:deploy': true;
    'settings:targets': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly deployment: Deployment;
    readonly deployedCopies: DeployedCopies;
  }
}

export const targets: Contribution = {
  id: 'targets',
  overlays: [{ id: 'deploy', isOpen: ({ deployment }) => deployment.skills !== null, load: () => import('./DeployOverlay.svelte') }],
  settingsSections: [{ id: 'targets', label: 'Targets', order: 55, guide: 'targets', after: { load: () => import('./TargetsSettings.svelte') } }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'targets', order: 125, load: () => import('./guide/targets.md?raw') }],
  services: {
    deployment: ({ client }) => new Deployment(client),
    deployedCopies: ({ client, toasts, notifications }) => new DeployedCopies(client, toasts, notifications),
  },
  commands: ({ context, deployment }) => [
    {
      id: 'skill.deploy',
      group: 'Skill',
      title: 'Deploy skill to agents',
      inGuide: true,
      keywords: 'copy claude codex cursor gemini target publish',
      when: context.hasSkill,
      run: context.withSkill((one) => deployment.start([one])),
    },
  ],
};
