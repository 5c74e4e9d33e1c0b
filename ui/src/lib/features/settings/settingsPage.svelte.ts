import { ViewRequest } from '$lib/components';
import type { Services } from '$lib/workbench/services';
import type { SettingsSectionId } from './entry';

type Needs = Pick<Services, 'layout'>;

export class SettingsPage {
  section = $state<SettingsSectionId>('general');
  readonly searchFocus = new ViewRequest();
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  open(section: SettingsSectionId = this.section): void {
    this.section = section;
    this.#services.layout.view = 'settings';
  }

  search(): void {
    this.#services.layout.view = 'settings';
    this.searchFocus.send();
  }
}
