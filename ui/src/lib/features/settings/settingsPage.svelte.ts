import { ViewRequest } from '$lib/components';
import type { Services } from '$lib/workbench/services';
import type { SettingsSection } from './sections';

type Needs = Pick<Services, 'layout'>;

/** Which section of the settings is shown. */
export class SettingsPage {
  section = $state<SettingsSection>('general');
  readonly searchFocus = new ViewRequest();
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  open(section: SettingsSection = this.section): void {
    this.section = section;
    this.#services.layout.view = 'settings';
  }

  search(): void {
    this.#services.layout.view = 'settings';
    this.searchFocus.send();
  }
}
