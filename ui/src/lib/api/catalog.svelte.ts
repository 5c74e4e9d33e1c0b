import { SvelteMap } from 'svelte/reactivity';
import type { SkillListCursor, ChangeEvent, DraftMark, Failure, Scope, SkillDetail, TreePage } from '$lib/api/generated';
import { type Brief, briefOf, filled, SCOPES, Shelf } from './briefs';
import type { Client } from './client';
import { asFailure } from './failure';
import type { ChangeFeed } from './changeFeed';
import { Deadline, Latest } from './timing';

export interface SkillKey {
  scope: Scope;
  id: string;
}

export const skillKey = (skill: SkillKey): string => `${skill.scope}:${skill.id}`;

/** A skill whose detail was read again, or null when it is gone. */
export type DetailListener = (key: SkillKey, detail: SkillDetail | null) => void;

/** The first page is what fits into a window, so that it is there at once; the others come in larger ones. */
const FIRST_PAGE = 200;
const PAGE = 2_000;
/** With more changes at once than this, everything is read again. */
const FEW = 200;

type Shelves = Record<Scope, Shelf>;
const emptyShelves = (): Shelves => ({ workspace: new Shelf(), account: new Shelf() });

/**
 * What the window knows of both scopes: rows of all skills, details of those that were looked at, and drafts.
 * The core's change feed says when to read again; nothing here is a truth of its own.
 */
export class Catalog {
  /** The workspace's skills before the account's, each by title. */
  skills = $state.raw<readonly Brief[]>([]);
  /** The first rows are there. */
  loaded = $state(false);
  /** All rows are there. */
  complete = $state(false);
  failure = $state.raw<Failure | null>(null);
  drafts = $state.raw<DraftMark[]>([]);
  readonly #details = new SvelteMap<string, SkillDetail>();
  readonly #failures = new SvelteMap<string, Failure>();
  readonly #loading = new Map<string, Promise<SkillDetail | null>>();
  readonly #listeners = new Set<DetailListener>();
  readonly #client: Client;
  readonly #list: Latest;
  readonly #draftList: Latest;
  #shelves = emptyShelves();
  /** What changed elsewhere and is to be read; null when that is too much to name. */
  #touched: Map<string, SkillKey> | null = new Map();
  /** Goes up when what is being read is of no use any more. */
  #round = 0;
  /** Goes up when another workspace is open: what was asked for in the one before isn't of this one. */
  #epoch = 0;
  // A batch import sends many events: rows are read at most every 120 ms.
  readonly #soon = new Deadline(120, () => this.#list.ask());
  readonly #draftsSoon = new Deadline(250, () => this.#draftList.ask());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#list = new Latest(() => this.#readTouched());
    this.#draftList = new Latest(() => this.#readDrafts());
    feed.on('skill', (event) => this.#changed(event));
    feed.on('draft', () => this.#draftsSoon.touch());
  }

  /** Reads everything again, as after opening another workspace. */
  async reload(): Promise<void> {
    this.#epoch += 1;
    this.#details.clear();
    this.#failures.clear();
    this.#loading.clear();
    this.#shelves = emptyShelves();
    this.#show();
    await Promise.all([this.#readAll(), this.#readDrafts()]);
  }

  /** The row of a skill. */
  summary(key: SkillKey): Brief | undefined {
    void this.skills;
    return this.#shelves[key.scope].get(key.id);
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

  putSummary(summary: Brief): void {
    this.#replaceSummary(summary);
    const detail = this.#details.get(skillKey(summary));
    if (detail) this.#details.set(skillKey(summary), { ...detail, ...summary });
  }

  forget(key: SkillKey): void {
    this.#details.delete(skillKey(key));
    const gone = this.summary(key);
    if (this.#shelves[key.scope].delete(key.id)) this.#show();
    if (gone) this.#touch(this.#twinsOf([gone]));
    this.#soon.flush();
    for (const listener of this.#listeners) listener(key, null);
  }

  /** Reads all rows again. */
  refresh(): void {
    this.#touched = null;
    this.#list.ask();
  }

  /** A draft went, or one that no tab shows is left: drafts aren't in the change feed. */
  refreshDrafts(): void {
    this.#draftsSoon.touch();
  }

  /** Told whenever a known skill was read again. */
  onDetail(listener: DetailListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #show(): void {
    this.skills = SCOPES.flatMap((scope) => this.#shelves[scope].list());
  }

  #replaceSummary(summary: Brief): void {
    const known = this.summary(summary) !== undefined;
    if (this.#shelves[summary.scope].put(briefOf(summary))) this.#show();
    if (known) return;
    // What came may hide another, which is seen at once.
    this.#touch(this.#twinsOf([summary]));
    this.#soon.flush();
  }

  #changed(event: ChangeEvent): void {
    // Without ids anything may have changed: the feed couldn't keep up.
    if (event.ids.length === 0) {
      this.#touched = null;
      this.#soon.touch();
      this.#draftsSoon.touch();
      for (const { scope, id } of this.#details.values()) void this.load({ scope, id }, true);
    }
    // What was saved, renamed or deleted may have taken its draft with it.
    if (this.drafts.length > 0) this.#draftsSoon.touch();
    const keys = event.ids.map((id) => ({ scope: event.scope, id }));
    this.#touch(keys);
    for (const key of keys) if (this.#details.has(skillKey(key))) void this.load(key, true);
  }

  #touch(keys: readonly SkillKey[]): void {
    if (keys.length === 0) return;
    for (const key of keys) this.#touched?.set(skillKey(key), key);
    if (this.#touched && this.#touched.size > FEW) this.#touched = null;
    this.#soon.touch();
  }

  /** The rows of the other scope whose marks may depend on these. */
  #twinsOf(skills: readonly Brief[]): Brief[] {
    const slugs = new Set(skills.map((skill) => `${skill.scope}:${skill.slug}`));
    const titles = new Set(skills.map((skill) => `${skill.scope}:${skill.name.toLowerCase()}`));
    const other = (scope: Scope): Scope => (scope === 'workspace' ? 'account' : 'workspace');
    return this.skills.filter(
      ({ scope, slug, name }) => slugs.has(`${other(scope)}:${slug}`) || titles.has(`${other(scope)}:${name.toLowerCase()}`),
    );
  }

  /** Reads the rows that changed, then those that they hide or uncover. */
  async #readTouched(): Promise<void> {
    const touched = this.#touched;
    this.#touched = new Map();
    if (touched === null) {
      await this.#readAll();
      return;
    }
    const round = this.#round;
    const keys = [...touched.values()];
    const before = keys.flatMap((key) => this.summary(key) ?? []);
    try {
      const after = await this.#readSome(keys, round);
      const twins = this.#twinsOf([...before, ...after]).filter((twin) => !touched.has(skillKey(twin)));
      await this.#readSome(twins, round);
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  async #readSome(keys: readonly SkillKey[], round: number): Promise<Brief[]> {
    const found: Brief[] = [];
    for (const scope of SCOPES) {
      const ids = keys.filter((key) => key.scope === scope).map((key) => key.id);
      if (ids.length === 0) continue;
      const { skills } = await this.#client.call('skill/tree', { only: { scope, ids } });
      if (round !== this.#round) return [];
      const there = new Set(skills.map((skill) => skill.id));
      let changed = false;
      for (const id of ids) if (!there.has(id)) changed = this.#shelves[scope].delete(id) || changed;
      for (const skill of skills) {
        const brief = filled(skill);
        changed = this.#shelves[scope].put(brief) || changed;
        found.push(brief);
      }
      if (changed) this.#show();
    }
    return found;
  }

  /** Reads all rows page by page. While nothing is shown yet, each page is as it comes; later, all of them at once. */
  async #readAll(): Promise<void> {
    const round = ++this.#round;
    const fresh = emptyShelves();
    const growing = this.skills.length === 0;
    if (growing) {
      this.#shelves = fresh;
      this.complete = false;
    }
    let from: SkillListCursor | null = null;
    try {
      do {
        const limit: number = from ? PAGE : FIRST_PAGE;
        const page: TreePage = await this.#client.call('skill/tree', { from, limit });
        if (round !== this.#round) return;
        for (const scope of SCOPES) fresh[scope].add(page.skills.filter((skill) => skill.scope === scope).map(filled));
        from = page.next;
        if (!growing && from) continue;
        this.#shelves = fresh;
        this.#show();
        this.loaded = true;
      } while (from);
      this.failure = null;
      this.complete = true;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  async #readDrafts(): Promise<void> {
    const epoch = this.#epoch;
    try {
      const { drafts } = await this.#client.call('draft/list', {});
      if (epoch === this.#epoch) this.drafts = drafts;
    } catch {
      // The marks in the tree stay as they are; the next change asks again.
    }
  }

  async #readDetail(key: SkillKey, name: string): Promise<SkillDetail | null> {
    const epoch = this.#epoch;
    try {
      const detail = await this.#client.call('skill/get', { skill: key.id, scope: key.scope });
      if (epoch !== this.#epoch) return null;
      this.put(detail);
      return this.#details.get(name) ?? detail;
    } catch (cause) {
      if (epoch !== this.#epoch) return null;
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
