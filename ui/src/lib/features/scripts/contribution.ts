import { Scripts } from '$lib/api';
import type { Contribution } from '$lib/workbench/contribution';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'settings:scripts': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly scripts: Scripts;
  }
}

export const scripts: Contribution = {
  id: 'scripts',
  settingsSections: [{ id: 'scripts', label: 'Python scripts', about: 'Scripts run in a sandbox with these limits.', order: 70, guide: 'scripts', before: { load: () => import('./ScriptsSettings.svelte') } }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'scripts', order: 60, load: () => import('./guide/scripts.md?raw') }],
  services: { scripts: ({ client }) => new Scripts(client) },
};
