import Icon from '@lucide/svelte/icons/settings';
import { Preferences } from '$lib/domain';
import type { Contribution } from '$lib/workbench/contribution';
import { showAppearance } from './appearance.svelte';
import type { SettingsModule, SettingsSection } from './entry';
import { SettingsPage } from './settingsPage.svelte';
import { Theme } from './theme.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:settings': true;
    'settings:general': true;
  }
}

declare module '$lib/workbench/contribution' {
  interface Contribution {
    settingsSections?: readonly SettingsSection[];
    settings?: () => Promise<SettingsModule>;
  }
}

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
      isMain: true, closesOnEscape: true,
      title: 'Settings',
      icon: Icon,
      order: 91,
      command: 'view.settings',
      load: () => import('./SettingsView.svelte'),
    },
  ],
  settingsSections: [{ id: 'general', label: 'Appearance', order: 10, guide: 'settings' }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'settings', order: 150, load: async (services) => (await import('./guidePage')).guidePage(services) }],
  services: {
    preferences: (services) => new Preferences(services.settings),
    settingsPage: (services) => new SettingsPage(services),
    theme: (services) => new Theme(services.settings),
  },
  lifecycle: (services) => ({
    mounted: () => {
      const stops = [services.theme.watch(window.matchMedia('(prefers-color-scheme: dark)')), showAppearance(services)];
      return () => stops.forEach((stop) => stop());
    },
  }),
};
