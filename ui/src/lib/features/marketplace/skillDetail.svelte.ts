import { asFailure, type Client } from '$lib/api';
import type { Failure, Marketplace } from '$lib/api/generated';
import { PackageFiles } from './packageFiles.svelte';

export type DetailTab = 'readme' | 'files' | 'versions';

/** The page of one skill of a registry. */
export class MarketplaceSkillPage {
  /** Null while the list is shown. */
  id = $state<string | null>(null);
  value = $state.raw<Marketplace.MarketplaceDetail | null>(null);
  failure = $state.raw<Failure | null>(null);
  tab = $state<DetailTab>('readme');
  readonly files: PackageFiles;
  readonly #client: Client;
  #request = 0;

  constructor(client: Client) {
    this.#client = client;
    this.files = new PackageFiles(client);
  }

  async show(id: string): Promise<void> {
    if (this.id !== id) {
      this.files.clear();
      [this.value, this.failure, this.tab] = [null, null, 'readme'];
    }
    this.id = id;
    await this.refresh();
  }

  close(): void {
    this.#request += 1;
    this.files.clear();
    [this.id, this.value, this.failure] = [null, null, null];
  }

  async refresh(): Promise<void> {
    const { id } = this;
    if (id === null) return;
    const request = ++this.#request;
    try {
      const value = await this.#client.call('marketplace/get', { id });
      if (request !== this.#request) return;
      [this.value, this.failure] = [value, null];
      void this.files.prepare(value);
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
  }

  /** Follows a link of the readme to a file of the package. False if there is none. */
  showFile(path: string): boolean {
    if (!this.files.value?.files.some((one) => one.path === path)) return false;
    this.files.path = path;
    this.tab = 'files';
    return true;
  }
}
