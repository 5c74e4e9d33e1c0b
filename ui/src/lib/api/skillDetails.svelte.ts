import { SvelteMap } from 'svelte/reactivity';
import type { Failure, SkillDetail } from '$lib/api/generated';
import type { ChangeFeed } from './changeFeed';
import type { Client } from './client';
import { asFailure } from './failure';
import { type SkillKey, skillKey } from './skillKey';
import type { SkillOverview } from './skillOverview';

/** Null when the skill no longer exists. */
export type DetailListener = (key: SkillKey, detail: SkillDetail | null) => void;

/** Details of the skills that were opened. A change in the core reads them again. */
export class SkillDetails {
  readonly #details = new SvelteMap<string, SkillDetail>();
  readonly #failures = new SvelteMap<string, { key: SkillKey; failure: Failure }>();
  readonly #loading = new Map<string, Promise<SkillDetail | null>>();
  readonly #listeners = new Set<DetailListener>();
  readonly #client: Client;
  /** Incremented when another workspace opens: replies for the one before are dropped. */
  #epoch = 0;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    feed.on('skill', ({ scope, ids }) => {
      const known = this.#known();
      // Without ids anything may have changed.
      const changed = ids.length === 0 ? [...known.values()] : ids.flatMap((id) => known.get(skillKey({ scope, id })) ?? []);
      for (const key of changed) void this.load(key, true);
    });
  }

  get(key: SkillKey): SkillDetail | undefined {
    return this.#details.get(skillKey(key));
  }

  /** Why a skill couldn't be read last. */
  failureOf(key: SkillKey): Failure | undefined {
    return this.#failures.get(skillKey(key))?.failure;
  }

  /** Null if it can't be read; `failureOf` has the cause. */
  async load(key: SkillKey, again = false): Promise<SkillDetail | null> {
    const name = skillKey(key);
    const known = this.#details.get(name);
    if (known && !again) return known;
    const running = this.#loading.get(name);
    if (running && !again) return running;
    const reading = this.#read(key, name);
    this.#loading.set(name, reading);
    try {
      return await reading;
    } finally {
      if (this.#loading.get(name) === reading) this.#loading.delete(name);
    }
  }

  /** Stores a detail that a call returned, unless a later revision is known. */
  put(detail: SkillDetail): void {
    const name = skillKey(detail);
    const known = this.#details.get(name);
    if (known && known.revision > detail.revision) return;
    this.#details.set(name, detail);
    this.#failures.delete(name);
    this.#notify(detail, detail);
  }

  /** Updates the fields of a loaded detail that its overview has, too. */
  patch(overview: SkillOverview): void {
    const name = skillKey(overview);
    const detail = this.#details.get(name);
    if (detail) this.#details.set(name, { ...detail, ...overview });
  }

  delete(key: SkillKey): void {
    this.#details.delete(skillKey(key));
    this.#failures.delete(skillKey(key));
    this.#notify(key, null);
  }

  /** Drops everything, for another workspace. */
  clear(): void {
    this.#epoch += 1;
    this.#details.clear();
    this.#failures.clear();
    this.#loading.clear();
  }

  /** Calls `listener` whenever a detail was read, stored or deleted, until the returned function is called. */
  onChange(listener: DetailListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The skills that were opened. One that couldn’t be read may have been restored. */
  #known(): Map<string, SkillKey> {
    const failed = [...this.#failures.values()].map(({ key }) => key);
    return new Map([...failed, ...this.#details.values()].map((key): [string, SkillKey] => [skillKey(key), key]));
  }

  #notify(key: SkillKey, detail: SkillDetail | null): void {
    for (const listener of this.#listeners) listener(key, detail);
  }

  async #read(key: SkillKey, name: string): Promise<SkillDetail | null> {
    const epoch = this.#epoch;
    try {
      const detail = await this.#client.call('skill/get', { skill: key.id, scope: key.scope });
      if (epoch !== this.#epoch) return null;
      this.put(detail);
      return this.#details.get(name) ?? detail;
    } catch (cause) {
      if (epoch !== this.#epoch) return null;
      const failure = asFailure(cause);
      if (failure.code === 'notFound') this.delete(key);
      this.#failures.set(name, { key: { scope: key.scope, id: key.id }, failure });
      return null;
    }
  }
}
