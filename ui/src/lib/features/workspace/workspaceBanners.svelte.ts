import type { Banner } from '$lib/api/generated';

/** What the core reports about itself and the workspace, until it is dismissed. */
export class WorkspaceBanners {
  #dismissed = $state.raw<readonly string[]>([]);
  readonly #all: () => readonly Banner[];
  readonly list = $derived.by(() => this.#all().filter((banner) => !this.#dismissed.includes(banner.message)));

  constructor(all: () => readonly Banner[]) {
    this.#all = all;
  }

  dismiss(banner: Banner): void {
    this.#dismissed = [...this.#dismissed, banner.message];
  }
}
