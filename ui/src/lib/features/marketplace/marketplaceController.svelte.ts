import { Deadline } from '$lib/api';
import { plural } from '$lib/domain';
import type { Registry } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { InstalledList } from './installed.svelte';
import type { MarketplaceTab } from './labels';
import type { MarketplaceViewModel } from './marketplaceViewModel.svelte';
import { RegistryList } from './registries.svelte';

type Needs = Pick<Services, 'actions' | 'catalog' | 'client' | 'feed' | 'files' | 'layout' | 'notifications' | 'proposals' | 'toasts'>;

/** Changes come in bursts. */
const SHOWN_DELAY_MS = 300;
/** Nobody looks at more than the badge. */
const HIDDEN_DELAY_MS = 5_000;

/** Loads the view when it is first shown, and keeps the badge current. */
export class MarketplaceController {
  view = $state.raw<MarketplaceViewModel | null>(null);
  readonly registries: RegistryList;
  readonly installed: InstalledList;
  readonly #services: Needs;
  readonly #soon = new Deadline(SHOWN_DELAY_MS, () => this.refresh());
  readonly #later = new Deadline(HIDDEN_DELAY_MS, () => this.installed.load());

  constructor(services: Needs) {
    this.#services = services;
    this.registries = new RegistryList(services.client);
    this.installed = new InstalledList(services.client);
    services.feed.on('skill', () => this.#touch());
    services.feed.on('proposal', () => this.#touch());
    services.feed.on('registry', () => {
      void this.registries.load();
      this.#soon.touch();
    });
  }

  get isShown(): boolean {
    return this.#services.layout.view === 'marketplace' && this.view !== null;
  }

  async open(tab?: MarketplaceTab): Promise<void> {
    this.#services.layout.view = 'marketplace';
    const view = await this.load();
    if (tab) view?.showTab(tab);
  }

  /** Shows the page of a skill. */
  async show(id: string): Promise<void> {
    await this.open();
    await this.view?.page.show(id);
  }

  async search(): Promise<void> {
    await this.open('browse');
    this.view?.browse.searchFocus.send();
  }

  /** Loads the view without showing it. */
  async load(): Promise<MarketplaceViewModel | null> {
    try {
      const { MarketplaceViewModel } = await import('./marketplaceViewModel.svelte');
      this.view ??= new MarketplaceViewModel(this.#services, () => this.refresh());
      return this.view;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the marketplace', cause, () => this.open());
      return null;
    }
  }

  /** Reads everything that is shown again. */
  refresh(): void {
    this.installed.load();
    this.view?.refresh();
  }

  /** Looks whether the registries were synced in the background. */
  async check(): Promise<void> {
    if (await this.registries.load()) this.refresh();
  }

  /** Syncs one registry, or all that are enabled, and says what that changed. */
  async sync(registry: string | null = null): Promise<void> {
    if (this.registries.sync.busy) return;
    const outcome = await this.registries.syncNow(registry);
    this.#services.catalog.refresh();
    this.refresh();
    const { failure } = this.registries.sync;
    if (outcome) this.#report(outcome);
    else if (failure && failure.code !== 'cancelled') this.#services.notifications.report('Couldn’t sync the registries', failure, () => this.sync(registry));
  }

  /** Another workspace is open. */
  reset(): void {
    this.installed.reset();
    this.view?.page.close();
  }

  #report({ registries, updated, waiting }: Registry.SyncOutcome): void {
    const { toasts, notifications } = this.#services;
    const failed = registries.filter((one) => one.failure !== null);
    const [first] = failed;
    if (first?.failure) {
      // The view says it itself.
      if (!this.isShown) notifications.report(`Couldn’t sync ${this.registries.titleOf(first.id)}`, first.failure, () => this.sync());
      return;
    }
    const parts = [updated.length > 0 ? `${plural(updated.length, 'skill')} updated` : '', waiting.length > 0 ? `${plural(waiting.length, 'update')} to review` : ''].filter(Boolean);
    toasts.show(`Synced ${plural(registries.length, 'registry', 'registries')}`, {
      tone: 'ok',
      hint: parts.length > 0 ? `${parts.join(', ')}.` : null,
      actions: waiting.length > 0 ? [{ label: 'Show updates', run: () => this.open('installed') }] : [],
    });
  }

  #touch(): void {
    if (this.#services.layout.view === 'marketplace') this.#soon.touch();
    else this.#later.touch();
  }
}
