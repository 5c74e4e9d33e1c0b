import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'notifications' | 'platform'>;

/** Opens addresses in the browser and folders in the file manager. */
export class External {
  /** The address that the user is asked about. */
  asked = $state<string | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Addresses come from skills and models: the user sees the whole one first. */
  ask(address: string): void {
    this.asked = address;
  }

  async open(): Promise<void> {
    const address = this.asked;
    this.asked = null;
    if (address !== null) await this.#try('Couldn’t open the address', () => this.#services.platform.openAddress(address));
  }

  async showFolder(folder: string): Promise<void> {
    await this.#try('Couldn’t open the folder', () => this.#services.platform.openFolder(folder));
  }

  async #try(what: string, open: () => Promise<void>): Promise<void> {
    try {
      await open();
    } catch (cause) {
      this.#services.notifications.report(what, cause);
    }
  }
}
