import Icon from '@lucide/svelte/icons/store';
import type { Contribution } from '$lib/workbench/contribution';
import { marketplaceCommands } from './commands';
import { MarketplaceController } from './marketplaceController.svelte';
import { RegistryEditor } from './registryEditor.svelte';
import { RegistryForm } from './registryForm.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:marketplace': true;
    'overlay:consent': true;
    'overlay:addRegistry': true;
    'overlay:editRegistry': true;
    'settings:marketplace': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly marketplace: MarketplaceController;
    readonly registryForm: RegistryForm;
    readonly registryEditor: RegistryEditor;
  }
}

export const marketplace: Contribution = {
  id: 'marketplace',
  views: [
    {
      id: 'marketplace',
      isMain: true,
      title: 'Marketplace',
      icon: Icon,
      order: 33,
      command: 'marketplace.show',
      load: () => import('./MarketplaceView.svelte'),
      guide: 'marketplace',
      badge: ({ marketplace: { installed } }) => (installed.attention === 0 ? null : { count: installed.attention, label: attentionLabel(installed.value?.updates ?? 0, installed.value?.revoked ?? 0) }),
    },
  ],
  overlays: [
    { id: 'consent', isOpen: ({ marketplace }) => marketplace.view?.installation.consent != null, load: () => import('./ConsentOverlay.svelte') },
    { id: 'addRegistry', isOpen: ({ registryForm }) => registryForm.isOpen, load: () => import('./AddRegistryOverlay.svelte') },
    { id: 'editRegistry', isOpen: ({ registryEditor }) => registryEditor.subject !== null, load: () => import('./EditRegistryOverlay.svelte') },
  ],
  settingsSections: [
    {
      id: 'marketplace',
      label: 'Marketplace',
      order: 35,
      guide: 'marketplace',
      before: { load: () => import('./RegistriesSettings.svelte') },
    },
  ],
  settings: () => import('./settings'),
  guidePages: [{ id: 'marketplace', order: 132, load: () => import('./guide/marketplace.md?raw') }],
  tasks,
  services: {
    marketplace: (services) => new MarketplaceController(services),
    registryForm: ({ client, marketplace, toasts }) =>
      new RegistryForm(client, ({ title, skills }) => {
        toasts.show(`Added ${title}`, { tone: 'ok', hint: skills === 1 ? '1 skill.' : `${skills} skills.`, actions: [{ label: 'Browse', run: () => marketplace.open('browse') }] });
        void marketplace.registries.load();
        marketplace.refresh();
      }),
    registryEditor: ({ marketplace }) => new RegistryEditor(marketplace.registries, () => marketplace.refresh()),
  },
  commands: marketplaceCommands,
  lifecycle: (services) => ({
    idle: () => void services.marketplace.check(),
    reset: () => services.marketplace.reset(),
  }),
};

function attentionLabel(updates: number, revoked: number): string {
  const all = [updates === 0 ? '' : updates === 1 ? '1 update' : `${updates} updates`, revoked === 0 ? '' : `${revoked} revoked`].filter(Boolean).join(', ');
  // The number that is shown must be in the name.
  return updates > 0 && revoked > 0 ? `${updates + revoked}: ${all}` : all;
}
