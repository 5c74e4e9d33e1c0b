import { type ChangeFeed, type Client, Deadline, Latest, type SkillKey, skillKey } from '$lib/api';
import type { Link } from '$lib/api/generated';

/** The skills whose files are a folder on disk. */
export class Links {
  list = $state.raw<readonly Link.LinkedSkill[]>([]);
  loaded = $state(false);
  readonly #byKey = $derived(new Map(this.list.map((link) => [skillKey(link), link])));
  /** Without the folders that can’t be stored. */
  readonly stored = $derived(this.list.filter((link) => link.is_stored));
  /** Names of the agents in whose folders they are. */
  readonly agents = $derived([...new Set(this.stored.flatMap(({ agent_name: name }) => (name === null ? [] : [name])))]);
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #soon = new Deadline(250, () => this.#latest.ask());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
    feed.on('link', () => this.#soon.touch());
    feed.on('skill', ({ ids }) => {
      // Without ids anything may have changed.
      if (ids.length === 0 || this.list.length > 0) this.#soon.touch();
    });
  }

  of(key: SkillKey): Link.LinkedSkill | null {
    return this.#byKey.get(skillKey(key)) ?? null;
  }

  /** The state of the git repository of a linked skill's folder; null outside of one. */
  async gitOf(key: SkillKey): Promise<Link.GitState | null> {
    try {
      return (await this.#client.call('link/list', { skill: { skill: key.id, scope: key.scope } })).git;
    } catch {
      // The folder itself is shown, with what is wrong with it.
      return null;
    }
  }

  /** Reads the links of another workspace. */
  reload(): void {
    this.#latest.ask();
  }

  async #read(): Promise<void> {
    const { workspace } = this.#client;
    try {
      const { links } = await this.#client.call('link/list', {});
      if (workspace !== this.#client.workspace) return;
      this.list = links;
      this.loaded = true;
    } catch {
      // The marks in the tree stay as they are; the next change reads again.
    }
  }
}
