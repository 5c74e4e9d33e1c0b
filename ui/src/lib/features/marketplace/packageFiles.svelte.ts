import { type Client, LongCall } from '$lib/api';
import type { Marketplace } from '$lib/api/generated';

/** Larger packages are downloaded only when asked for. */
const AUTOMATIC_BYTES = 1024 * 1024;

/** The files of a version, which are downloaded to be shown. */
export class PackageFiles {
  value = $state.raw<Marketplace.MarketplacePackage | null>(null);
  /** The path of the file that is shown. */
  path = $state<string | null>(null);
  readonly download: LongCall<'download'>;
  readonly file = $derived(this.value?.files.find((one) => one.path === this.path) ?? null);

  constructor(client: Client) {
    this.download = new LongCall(client);
  }

  /** Downloads a small package; a large one waits for `load`. */
  async prepare(detail: Pick<Marketplace.MarketplaceDetail, 'id' | 'version' | 'length'>): Promise<void> {
    if (this.#has(detail)) return;
    this.clear();
    if (detail.length <= AUTOMATIC_BYTES) await this.load(detail);
  }

  async load({ id, version }: Pick<Marketplace.MarketplaceDetail, 'id' | 'version'>): Promise<void> {
    const value = await this.download.run('download', 'marketplace/package', { id, version });
    if (value === null) return;
    this.value = value;
    this.path = (value.files.find((one) => one.path === 'SKILL.md') ?? value.files[0])?.path ?? null;
  }

  clear(): void {
    this.download.abandon();
    [this.value, this.path] = [null, null];
  }

  #has({ id, version }: Pick<Marketplace.MarketplaceDetail, 'id' | 'version'>): boolean {
    return this.value?.id === id && this.value.version === version;
  }
}
