import { type Client, Latest, type Settings } from '$lib/api';
import { plural } from '$lib/domain';
import type { Target } from '$lib/api/generated';
import { agentsOf, newSlugs } from './agents';

/** Slugs that are no longer offered. */
const DISMISSED = 'ui.skills_put_off';

/** "Found 3 new skills in Claude Code". Shown until it is dismissed or skills were imported, and again when there is another new skill. */
export class Offer {
  targets = $state.raw<Target.TargetSkills[]>([]);
  readonly #settings: Settings;
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #dismissed = $derived.by(() => {
    const stored = this.#settings.get(DISMISSED);
    return new Set(Array.isArray(stored) ? stored.filter((slug) => typeof slug === 'string') : []);
  });
  readonly #slugs = $derived(newSlugs(this.targets));
  /** Null if there is nothing to offer. */
  readonly summary = $derived.by(() => {
    if (this.#slugs.every((slug) => this.#dismissed.has(slug))) return null;
    return `Found ${plural(this.#slugs.length, 'new skill')} in ${agentsOf(this.targets)}`;
  });

  constructor(client: Client, settings: Settings) {
    this.#client = client;
    this.#settings = settings;
    this.#latest = new Latest(() => this.#read());
  }

  /** Reads the folders of other agents. */
  refresh(): void {
    this.#latest.ask();
  }

  /** Stops offering these skills. */
  dismiss(): void {
    this.#settings.set(DISMISSED, [...new Set([...this.#dismissed, ...this.#slugs])].sort());
  }

  async #read(): Promise<void> {
    const { workspace } = this.#client;
    try {
      const { targets } = await this.#client.call('target/list', {});
      if (workspace === this.#client.workspace) this.targets = targets;
    } catch {
      // Runs in the background; the dialog shows failures.
      this.targets = [];
    }
  }
}
