import { asFailure, type Client, Latest } from '$lib/api';
import type { Failure, Fork, Marketplace } from '$lib/api/generated';

/** The skills of the account that come from registries, and copies whose original has changed. */
export class InstalledList {
  /** Null until they are read. */
  value = $state.raw<Marketplace.InstalledSkills | null>(null);
  forks = $state.raw<readonly Fork.OutdatedFork[]>([]);
  failure = $state.raw<Failure | null>(null);
  /** Revoked ones first, then updates, then the others, each part by name. */
  readonly skills = $derived((this.value?.skills ?? []).toSorted((one, other) => rank(one) - rank(other)));
  /** The number of skills that need attention. */
  readonly attention = $derived((this.value?.updates ?? 0) + (this.value?.revoked ?? 0));
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());

  constructor(client: Client) {
    this.#client = client;
  }

  load(): void {
    this.#latest.ask();
  }

  find(skill: string): Marketplace.InstalledMarketplaceSkill | null {
    return this.value?.skills.find((one) => one.skill === skill) ?? null;
  }

  reset(): void {
    [this.value, this.forks] = [null, []];
  }

  async #read(): Promise<void> {
    try {
      const [value, { forks }] = await Promise.all([this.#client.call('marketplace/installed', {}), this.#client.call('fork/list', {})]);
      [this.value, this.forks] = [value, forks];
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }
}

function rank({ status, update }: Marketplace.InstalledMarketplaceSkill): number {
  if (status === 'revoked') return 0;
  if (update !== null) return 1;
  return status === 'yanked' ? 2 : 3;
}
