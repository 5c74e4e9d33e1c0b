import type { Contribution } from '$lib/workbench/contribution';
import { Keymap } from './keymap.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly keymap: Keymap;
  }
}

export const keys: Contribution = {
  id: 'keys',
  services: { keymap: ({ settings, commands }) => new Keymap(settings, commands) },
};
