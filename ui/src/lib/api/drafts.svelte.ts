import type { Draft } from '$lib/api/generated';
import type { ChangeFeed } from './changeFeed';
import type { Client } from './client';
import type { SkillKey } from './skillKey';
import { Deadline, Latest } from './timing';

type Listener = (drafts: readonly Draft.DraftMark[]) => void;

/** The files that have a draft. */
export class Drafts {
  list = $state.raw<Draft.DraftMark[]>([]);
  readonly #client: Client;
  readonly #listeners = new Set<Listener>();
  readonly #latest: Latest;
  readonly #soon = new Deadline(250, () => this.#latest.ask());
  /** Incremented when another workspace opens: replies for the one before are dropped. */
  #epoch = 0;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
    feed.on('draft', () => this.refresh());
    feed.on('skill', ({ ids }) => {
      // Saving or renaming a file may have removed its draft. Without ids anything may have changed.
      if (ids.length === 0 || this.list.length > 0) this.refresh();
    });
  }

  has(key: SkillKey, path?: string): boolean {
    return this.list.some((draft) => draft.skill_id === key.id && draft.scope === key.scope && (path === undefined || draft.path === path));
  }

  /** Calls `listener` after each read of the list, until the returned function is called. */
  onRead(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the list soon. Drafts that windows store aren't in the change feed. */
  refresh(): void {
    this.#soon.touch();
  }

  /** Reads the list of another workspace. */
  reload(): Promise<void> {
    this.#epoch += 1;
    return this.#read();
  }

  async #read(): Promise<void> {
    const epoch = this.#epoch;
    try {
      const { drafts } = await this.#client.call('draft/list', {});
      if (epoch !== this.#epoch) return;
      this.list = drafts;
      for (const listener of this.#listeners) listener(drafts);
    } catch {
      // The marks in the tree stay as they are; the next change reads again.
    }
  }
}
