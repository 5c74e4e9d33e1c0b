import type { ChangeEvent, Failure, Scope, Skill, SkillListCursor } from '$lib/api/generated';
import type { ChangeFeed } from './changeFeed';
import type { Client } from './client';
import { Drafts } from './drafts.svelte';
import { asFailure } from './failure';
import { SkillDetails } from './skillDetails.svelte';
import { type SkillKey, skillKey } from './skillKey';
import { type SkillOverview, overviewOf, filled, SCOPES, SkillCollection } from './skillOverview';
import { Deadline, Latest } from './timing';

/** The first page fits into a window, so that it is shown soon; the others are larger. */
const FIRST_PAGE = 200;
const PAGE = 2_000;
/** With more changes at once, everything is read again. */
const MAX_CHANGES = 200;

type SkillCollections = Record<Scope, SkillCollection>;
const emptyCollections = (): SkillCollections => ({ workspace: new SkillCollection(), account: new SkillCollection() });

/** A cache of both scopes: overviews of all skills, details of those that were opened, and drafts. The change feed invalidates it. */
export class Catalog {
  /** The workspace's skills before the account's, each by title. */
  skills = $state.raw<readonly SkillOverview[]>([]);
  /** The first page was read. */
  loaded = $state(false);
  /** All pages were read. */
  complete = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly details: SkillDetails;
  readonly drafts: Drafts;
  readonly #client: Client;
  readonly #list: Latest;
  #collections = emptyCollections();
  /** Skills to read again; null for all of them. */
  #stale: Map<string, SkillKey> | null = new Map();
  /** Incremented when all pages are read again: replies for single skills are dropped. */
  #round = 0;
  // A batch import sends many events: overviews are read at most every 120 ms.
  readonly #soon = new Deadline(120, () => this.#list.ask());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#list = new Latest(() => this.#readStale());
    this.drafts = new Drafts(client, feed);
    this.details = new SkillDetails(client, feed);
    this.details.onChange((_, detail) => {
      if (detail) this.#replaceSummary(detail);
    });
    feed.on('skill', (event) => this.#changed(event));
  }

  /** Reads everything again, for another workspace. */
  async reload(): Promise<void> {
    this.details.clear();
    this.#collections = emptyCollections();
    this.#show();
    await Promise.all([this.#readAll(), this.drafts.reload()]);
  }

  summary(key: SkillKey): SkillOverview | undefined {
    void this.skills;
    return this.#collections[key.scope].get(key.id);
  }

  putSummary(summary: SkillOverview): void {
    this.#replaceSummary(summary);
    this.details.patch(summary);
  }

  /** Removes a deleted skill. */
  delete(key: SkillKey): void {
    const deleted = this.summary(key);
    if (this.#collections[key.scope].delete(key.id)) this.#show();
    if (deleted) this.#invalidate(this.#namesakesOf([deleted]));
    this.#soon.flush();
    this.details.delete(key);
  }

  refresh(): void {
    this.#stale = null;
    this.#list.ask();
  }

  #show(): void {
    this.skills = SCOPES.flatMap((scope) => this.#collections[scope].list());
  }

  #replaceSummary(summary: SkillOverview): void {
    const known = this.summary(summary) !== undefined;
    if (this.#collections[summary.scope].put(overviewOf(summary))) this.#show();
    if (known) return;
    // A skill that was added may hide one of the other scope.
    this.#invalidate(this.#namesakesOf([summary]));
    this.#soon.flush();
  }

  #changed({ scope, ids }: ChangeEvent): void {
    // Without ids anything may have changed: the feed couldn't keep up.
    if (ids.length === 0) {
      this.#stale = null;
      this.#soon.touch();
    }
    this.#invalidate(ids.map((id) => ({ scope, id })));
  }

  #invalidate(keys: readonly SkillKey[]): void {
    if (keys.length === 0) return;
    for (const key of keys) this.#stale?.set(skillKey(key), key);
    if (this.#stale && this.#stale.size > MAX_CHANGES) this.#stale = null;
    this.#soon.touch();
  }

  /** The skills of the other scope with the same slug or title: whether they are hidden depends on these. */
  #namesakesOf(skills: readonly SkillOverview[]): SkillOverview[] {
    const slugs = new Set(skills.map((skill) => `${skill.scope}:${skill.slug}`));
    const titles = new Set(skills.map((skill) => `${skill.scope}:${skill.name.toLowerCase()}`));
    const other = (scope: Scope): Scope => (scope === 'workspace' ? 'account' : 'workspace');
    return this.skills.filter(
      ({ scope, slug, name }) => slugs.has(`${other(scope)}:${slug}`) || titles.has(`${other(scope)}:${name.toLowerCase()}`),
    );
  }

  /** Reads the skills that changed, then those that they hide or no longer hide. */
  async #readStale(): Promise<void> {
    const stale = this.#stale;
    this.#stale = new Map();
    if (stale === null) {
      await this.#readAll();
      return;
    }
    const round = this.#round;
    const keys = [...stale.values()];
    const before = keys.flatMap((key) => this.summary(key) ?? []);
    try {
      const after = await this.#readSome(keys, round);
      const namesakes = this.#namesakesOf([...before, ...after]).filter((skill) => !stale.has(skillKey(skill)));
      await this.#readSome(namesakes, round);
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  async #readSome(keys: readonly SkillKey[], round: number): Promise<SkillOverview[]> {
    const found: SkillOverview[] = [];
    for (const scope of SCOPES) {
      const ids = keys.filter((key) => key.scope === scope).map((key) => key.id);
      if (ids.length === 0) continue;
      const { skills } = await this.#client.call('skill/tree', { only: { scope, ids } });
      if (round !== this.#round) return [];
      const existing = new Set(skills.map((skill) => skill.id));
      let changed = false;
      for (const id of ids) if (!existing.has(id)) changed = this.#collections[scope].delete(id) || changed;
      for (const skill of skills) {
        const overview = filled(skill);
        changed = this.#collections[scope].put(overview) || changed;
        found.push(overview);
      }
      if (changed) this.#show();
    }
    return found;
  }

  /** Shows each page as it arrives if nothing is shown yet, else all of them at once. */
  async #readAll(): Promise<void> {
    const round = ++this.#round;
    const fresh = emptyCollections();
    const incremental = this.skills.length === 0;
    if (incremental) {
      this.#collections = fresh;
      this.complete = false;
    }
    let from: SkillListCursor | null = null;
    try {
      do {
        const limit: number = from ? PAGE : FIRST_PAGE;
        const page: Skill.TreePage = await this.#client.call('skill/tree', { from, limit });
        if (round !== this.#round) return;
        for (const scope of SCOPES) fresh[scope].add(page.skills.filter((skill) => skill.scope === scope).map(filled));
        from = page.next;
        if (!incremental && from) continue;
        this.#collections = fresh;
        this.#show();
        this.loaded = true;
      } while (from);
      this.failure = null;
      this.complete = true;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }
}
