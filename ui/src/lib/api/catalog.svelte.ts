import { SvelteMap } from 'svelte/reactivity';
import type { ChangeEvent, Draft, Failure, Scope, SkillDetail, SkillSummary } from '$lib/wire';
import type { Client } from './client';
import { asFailure } from './failure';
import type { Feed } from './feed';
import { Deadline, Latest } from './timing';

export interface SkillKey {
  scope: Scope;
  id: string;
}

export const skillKey = (skill: SkillKey): string => `${skill.scope}:${skill.id}`;

/** A skill whose detail was read again, or null when it is gone. */
export type DetailListener = (key: SkillKey, detail: SkillDetail | null) => void;

/**
 * What the window knows of both scopes: summaries of all skills, details of those that were looked at, and drafts.
 * The core's change feed says when to read again; nothing here is a truth of its own.
 */
export class Catalog {
  skills = $state.raw<SkillSummary[]>([]);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  drafts = $state.raw<Draft[]>([]);
  readonly #details = new SvelteMap<string, SkillDetail>();
  readonly #failures = new SvelteMap<string, Failure>();
  readonly #loading = new Map<string, Promise<SkillDetail | null>>();
  readonly #listeners = new Set<DetailListener>();
  readonly #byKey = $derived(new Map(this.skills.map((skill) => [skillKey(skill), skill])));
  readonly #client: Client;
  readonly #list: Latest;
  readonly #draftList: Latest;
  // A batch import sends many events: the list is read at most every 120 ms.
  readonly #soon = new Deadline(120, () => this.#list.ask());
  readonly #draftsSoon = new Deadline(250, () => this.#draftList.ask());

  constructor(client: Client, feed: Feed) {
    this.#client = client;
    this.#list = new Latest(() => this.#readList());
    this.#draftList = new Latest(() => this.#readDrafts());
    feed.on('skill', (event) => this.#changed(event));
    feed.on('draft', () => this.#draftsSoon.touch());
  }

  /** Reads everything again, as after opening another workspace. */
  async reload(): Promise<void> {
    this.#details.clear();
    this.#failures.clear();
    this.#loading.clear();
    await Promise.all([this.#readList(), this.#readDrafts()]);
  }

  summary(key: SkillKey): SkillSummary | undefined {
    return this.#byKey.get(skillKey(key));
  }

  detail(key: SkillKey): SkillDetail | undefined {
    return this.#details.get(skillKey(key));
  }

  detailFailure(key: SkillKey): Failure | undefined {
    return this.#failures.get(skillKey(key));
  }

  hasDraft(key: SkillKey, path?: string): boolean {
    return this.drafts.some(
      (draft) => draft.skill_id === key.id && draft.scope === key.scope && (path === undefined || draft.path === path),
    );
  }

  /** The detail, read if it isn't known yet. Null when it can't be read; `detailFailure` says why. */
  async load(key: SkillKey, again = false): Promise<SkillDetail | null> {
    const name = skillKey(key);
    const known = this.#details.get(name);
    if (known && !again) return known;
    const running = this.#loading.get(name);
    if (running && !again) return running;
    const reading = this.#readDetail(key, name);
    this.#loading.set(name, reading);
    try {
      return await reading;
    } finally {
      if (this.#loading.get(name) === reading) this.#loading.delete(name);
    }
  }

  /** Takes a detail that another call returned. */
  put(detail: SkillDetail): void {
    const name = skillKey(detail);
    const known = this.#details.get(name);
    if (known && known.revision > detail.revision) return;
    this.#details.set(name, detail);
    this.#failures.delete(name);
    this.#replaceSummary(detail);
    for (const listener of this.#listeners) listener(detail, detail);
  }

  putSummary(summary: SkillSummary): void {
    this.#replaceSummary(summary);
    const detail = this.#details.get(skillKey(summary));
    if (detail) this.#details.set(skillKey(summary), { ...detail, ...summary });
  }

  forget(key: SkillKey): void {
    this.#details.delete(skillKey(key));
    this.skills = this.skills.filter((skill) => skillKey(skill) !== skillKey(key));
    for (const listener of this.#listeners) listener(key, null);
  }

  refresh(): void {
    this.#list.ask();
  }

  /** Told whenever a known skill was read again. */
  onDetail(listener: DetailListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #replaceSummary(summary: SkillSummary): void {
    const name = skillKey(summary);
    const index = this.skills.findIndex((skill) => skillKey(skill) === name);
    this.skills = index < 0 ? [...this.skills, summary] : this.skills.with(index, summary);
  }

  #changed(event: ChangeEvent): void {
    this.#soon.touch();
    // Without ids anything may have changed: the feed couldn't keep up.
    if (event.ids.length === 0) {
      this.#draftsSoon.touch();
      for (const { scope, id } of this.#details.values()) void this.load({ scope, id }, true);
    }
    for (const id of event.ids) {
      const key = { scope: event.scope, id };
      if (this.#details.has(skillKey(key))) void this.load(key, true);
    }
  }

  async #readList(): Promise<void> {
    try {
      this.skills = (await this.#client.call('skill/list', { view: 'all' })).skills;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  async #readDrafts(): Promise<void> {
    try {
      this.drafts = (await this.#client.call('draft/list', {})).drafts;
    } catch {
      // The marks in the tree stay as they are; the next change asks again.
    }
  }

  async #readDetail(key: SkillKey, name: string): Promise<SkillDetail | null> {
    try {
      const detail = await this.#client.call('skill/get', { skill: key.id, scope: key.scope });
      this.put(detail);
      return this.#details.get(name) ?? detail;
    } catch (cause) {
      const failure = asFailure(cause);
      this.#failures.set(name, failure);
      if (failure.code === 'notFound') {
        this.#details.delete(name);
        for (const listener of this.#listeners) listener(key, null);
      }
      return null;
    }
  }
}
