import Icon from '@lucide/svelte/icons/settings';
import { Preferences } from '$lib/domain';
import type { Contribution } from '$lib/workbench/contribution';
import { SettingsPage } from './settingsPage.svelte';
import { Theme } from './theme.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly preferences: Preferences;
    readonly settingsPage: SettingsPage;
    readonly theme: Theme;
  }
}

export const settings: Contribution = {
  id: 'settings',
  views: [
    {
      id: 'settings',
      title: 'Settings',
      icon: Icon,
      order: 91,
      command: 'view.settings',
      load: () => import('./SettingsView.svelte'),
    },
  ],
  services: {
    preferences: (services) => new Preferences(services.settings),
    settingsPage: (services) => new SettingsPage(services),
    theme: (services) => new Theme(services.settings),
  },
  lifecycle: (services) => ({ mounted: () => services.theme.watch(window.matchMedia('(prefers-color-scheme: dark)')) }),
};
