import type { Contribution } from '$lib/workbench/contribution';
import { Keymap } from './keymap.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'settings:keys': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly keymap: Keymap;
  }
}

export const keys: Contribution = {
  id: 'keys',
  settingsSections: [{ id: 'keys', label: 'Keyboard shortcuts', order: 90, guide: 'keys', after: { load: () => import('./KeysSettings.svelte') } }],
  statusItems: [
    {
      id: 'chord',
      side: 'left',
      order: 1,
      status: ({ commands: { chord: { pending, unknown } } }) =>
        pending !== null ? { text: `${pending} pressed. Press the second key.` } : unknown !== null ? { text: `${unknown} isn’t a shortcut.` } : null,
    },
  ],
  settings: () => import('./settings'),
  guidePages: [{ id: 'keys', order: 160, load: () => import('./guidePage') }],
  services: { keymap: ({ settings, commands }) => new Keymap(settings, commands) },
};
