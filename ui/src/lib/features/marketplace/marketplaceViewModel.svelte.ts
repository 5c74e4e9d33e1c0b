import type { Services } from '$lib/workbench/services';
import { Browse } from './browse.svelte';
import { Installation } from './installation.svelte';
import type { MarketplaceTab } from './labels';
import { Maintenance } from './maintenance.svelte';
import { MarketplaceSkillPage } from './skillDetail.svelte';

type Needs = Pick<Services, 'actions' | 'catalog' | 'client' | 'files' | 'notifications' | 'proposals' | 'toasts'>;

/** The Marketplace view: the offered skills, the installed ones, the page of one skill, and actions on them. */
export class MarketplaceViewModel {
  tab = $state<MarketplaceTab>('browse');
  readonly browse: Browse;
  readonly page: MarketplaceSkillPage;
  readonly installation: Installation;
  readonly maintenance: Maintenance;

  /** `changed` runs after what is installed has changed. */
  constructor(services: Needs, changed: () => void) {
    this.browse = new Browse(services.client);
    this.page = new MarketplaceSkillPage(services.client);
    this.installation = new Installation(services, changed);
    this.maintenance = new Maintenance(services, changed);
  }

  showTab(tab: MarketplaceTab): void {
    this.page.close();
    this.tab = tab;
  }

  async openAt(index: number): Promise<void> {
    this.browse.cursor = index;
    const skill = await this.browse.list.load(index);
    if (skill) await this.page.show(skill.id);
  }

  back(): void {
    this.page.close();
    this.browse.listFocus.send();
  }

  /** Reads again what is shown. */
  refresh(): void {
    if (this.browse.list.loaded || this.browse.list.failure) this.browse.list.refresh();
    void this.page.refresh();
  }
}
