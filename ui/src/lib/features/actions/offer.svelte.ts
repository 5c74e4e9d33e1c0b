import { type Client, Latest, type Settings } from '$lib/api';
import { plural } from '$lib/domain';
import type { TargetSkills } from '$lib/api/generated';
import { agentsOf, newSlugs } from './agents';

/** The skills that someone doesn't want to be asked about again. */
const PUT_OFF = 'ui.skills_put_off';

/** "Found 3 skills from Claude Code": said until it was reviewed or put off, and again when there is another one. */
export class Offer {
  targets = $state.raw<TargetSkills[]>([]);
  readonly #settings: Settings;
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #putOff = $derived.by(() => {
    const stored = this.#settings.get(PUT_OFF);
    return new Set(Array.isArray(stored) ? stored.filter((slug) => typeof slug === 'string') : []);
  });
  readonly #slugs = $derived(newSlugs(this.targets));
  /** What to say; null when there is nothing. */
  readonly words = $derived.by(() => {
    if (this.#slugs.every((slug) => this.#putOff.has(slug))) return null;
    return `Found ${plural(this.#slugs.length, 'skill')} from ${agentsOf(this.targets)}`;
  });

  constructor(client: Client, settings: Settings) {
    this.#client = client;
    this.#settings = settings;
    this.#latest = new Latest(() => this.#read());
  }

  /** Looks into the folders of the other agents. */
  look(): void {
    this.#latest.ask();
  }

  /** Not again for these. */
  putOff(): void {
    this.#settings.set(PUT_OFF, [...new Set([...this.#putOff, ...this.#slugs])].sort());
  }

  async #read(): Promise<void> {
    const place = this.#client.workspace;
    try {
      const { targets } = await this.#client.call('target/list', {});
      if (place === this.#client.workspace) this.targets = targets;
    } catch {
      // Nobody asked for it; the review says what is wrong.
      this.targets = [];
    }
  }
}
