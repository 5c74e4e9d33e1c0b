import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';
import type { Marketplace } from '$lib/api/generated';
import type { MarketplaceViewModel } from './marketplaceViewModel.svelte';

type Needs = Pick<Services, 'layout' | 'marketplace' | 'registryForm' | 'settingsPage'>;

export function marketplaceCommands({ layout, marketplace, registryForm, settingsPage }: Needs): Command[] {
  const { registries, installed } = marketplace;
  const isInView = (): boolean => layout.view === 'marketplace';

  /** The skill whose page is shown, else the one at the cursor of the list. */
  const offered = (): Marketplace.MarketplaceSkill | null => {
    const { view } = marketplace;
    if (!marketplace.isShown || !view) return null;
    if (view.page.id !== null) return view.page.value;
    return view.tab === 'browse' ? view.browse.list.at(view.browse.cursor) : null;
  };
  const present = (): Marketplace.InstalledMarketplaceSkill | null => {
    const skill = offered()?.installed?.skill;
    return skill === undefined ? null : installed.find(skill);
  };
  const withView = (run: (view: MarketplaceViewModel) => unknown) => async (): Promise<void> => {
    const view = await marketplace.load();
    if (view) run(view);
  };
  const withPresent = (run: (view: MarketplaceViewModel, skill: Marketplace.InstalledMarketplaceSkill) => unknown) => (): unknown => {
    const [skill, { view }] = [present(), marketplace];
    return skill && view ? run(view, skill) : undefined;
  };
  const install = (): unknown => {
    const skill = offered();
    return skill ? marketplace.view?.installation.start(skill.id) : undefined;
  };

  return [
    { id: 'marketplace.show', group: 'Marketplace', title: 'Show marketplace', inGuide: true, keys: ['Ctrl+Alt+M'], keywords: 'registry skills install browse store', run: () => marketplace.open() },
    { id: 'marketplace.search', group: 'Marketplace', title: 'Search marketplace', keys: ['Ctrl+F'], keywords: 'find skills registry', when: isInView, run: () => marketplace.search() },
    { id: 'marketplace.installed', group: 'Marketplace', title: 'Show installed skills', inGuide: true, keywords: 'updates registry pinned revoked', run: () => marketplace.open('installed') },
    { id: 'marketplace.back', group: 'Marketplace', title: 'Back to marketplace', keys: ['Alt+Left'], when: () => marketplace.isShown && marketplace.view?.page.id != null, run: () => marketplace.view?.back() },
    { id: 'marketplace.install', group: 'Marketplace', title: 'Install skill', keywords: 'download add registry', when: () => offered()?.available === true && offered()?.installed === null, run: install },
    { id: 'marketplace.update', group: 'Marketplace', title: 'Update skill', keywords: 'upgrade version registry', when: () => offered()?.installed?.update != null, run: install },
    { id: 'marketplace.updateAll', group: 'Marketplace', title: 'Update all skills', inGuide: true, keywords: 'upgrade registry', when: () => (installed.value?.updates ?? 0) > 0, run: withView((view) => view.maintenance.updateAll()) },
    { id: 'marketplace.pin', group: 'Marketplace', title: 'Pin skill', keywords: 'keep version hold', when: () => present()?.pinned === false, run: withPresent((view, skill) => view.maintenance.pin(skill, true)) },
    { id: 'marketplace.unpin', group: 'Marketplace', title: 'Unpin skill', keywords: 'version release', when: () => present()?.pinned === true, run: withPresent((view, skill) => view.maintenance.pin(skill, false)) },
    { id: 'marketplace.rollback', group: 'Marketplace', title: 'Roll back skill', keywords: 'previous version downgrade restore', when: () => present() !== null, run: withPresent((view, skill) => view.maintenance.rollBack(skill)) },
    { id: 'marketplace.remove', group: 'Marketplace', title: 'Remove installed skill', keywords: 'uninstall delete', when: () => present() !== null, run: withPresent((view, skill) => view.maintenance.remove(skill)) },
    { id: 'marketplace.open', group: 'Marketplace', title: 'Open installed skill', keywords: 'editor reveal tree', when: () => present() !== null, run: withPresent((view, skill) => view.installation.open(skill.skill)) },
    { id: 'marketplace.sync', group: 'Marketplace', title: 'Sync registries', inGuide: true, keywords: 'refresh reload update check', when: () => registries.list === null || registries.enabled.length > 0, run: () => marketplace.sync() },
    { id: 'marketplace.addRegistry', group: 'Marketplace', title: 'Add registry', inGuide: true, keywords: 'marketplace source address url fingerprint', run: () => registryForm.start() },
    { id: 'marketplace.registries', group: 'Marketplace', title: 'Manage registries', inGuide: true, keywords: 'marketplace settings mirrors priority remove', run: () => settingsPage.open('marketplace') },
  ];
}
