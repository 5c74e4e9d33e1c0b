import type { Scope, Skill } from '$lib/api/generated';

/** A skill as lists show it, with omitted defaults filled in. A `SkillSummary` is one, too. */
export type SkillOverview = Pick<
  Skill.SkillSummary,
  'id' | 'scope' | 'slug' | 'name' | 'revision' | 'source' | 'lifecycle' | 'enabled' | 'locked' | 'shadows' | 'shadowed' | 'collides_with' | 'tags' | 'kinds'
>;

const NONE: never[] = [];

export const filled = (overview: Skill.SkillListItem): SkillOverview => ({
  ...overview,
  source: overview.source ?? 'user',
  locked: overview.locked ?? false,
  shadows: overview.shadows ?? false,
  shadowed: overview.shadowed ?? false,
  collides_with: overview.collides_with ?? null,
  tags: overview.tags ?? NONE,
  kinds: overview.kinds ?? NONE,
});

export const overviewOf = (skill: SkillOverview): SkillOverview => {
  const { id, scope, slug, name, revision, source, lifecycle, enabled, locked, shadows, shadowed, collides_with, tags, kinds } = skill;
  return { id, scope, slug, name, revision, source, lifecycle, enabled, locked, shadows, shadowed, collides_with, tags, kinds };
};

/**
 * Sorts by title, ignoring case and accents, numbers by value. Comparing keys is many times faster than a collator, which takes longer than
 * a frame for thousands of skills.
 */
export function orderKey(name: string, slug: string): string {
  const plain = /^[\x20-\x7e]*$/.test(name) ? name : name.normalize('NFKD').replace(/\p{M}+/gu, '');
  return `${plain.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'))}\u0000${slug}`;
}

const same = (a: SkillOverview, b: SkillOverview): boolean =>
  (Object.keys(a) as (keyof SkillOverview)[]).every((key) => a[key] === b[key] || (Array.isArray(a[key]) && String(a[key]) === String(b[key])));

interface Entry {
  order: string;
  overview: SkillOverview;
}

/** The skills of one scope, in order. */
export class SkillCollection {
  #entries: Entry[] = [];
  readonly #byId = new Map<string, Entry>();

  get(id: string): SkillOverview | undefined {
    return this.#byId.get(id)?.overview;
  }

  list(): SkillOverview[] {
    return this.#entries.map(({ overview }) => overview);
  }

  /** Merges a page in one pass. */
  add(overviews: readonly SkillOverview[]): void {
    const page: Entry[] = [];
    for (const overview of overviews) {
      if (this.#byId.has(overview.id)) this.delete(overview.id);
      const entry = { order: orderKey(overview.name, overview.slug), overview };
      this.#byId.set(overview.id, entry);
      page.push(entry);
    }
    page.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
    const before = this.#entries;
    const merged: Entry[] = [];
    let at = 0;
    for (const next of page) {
      for (let one = before[at]; one && one.order <= next.order; one = before[++at]) merged.push(one);
      merged.push(next);
    }
    for (let one = before[at]; one; one = before[++at]) merged.push(one);
    this.#entries = merged;
  }

  /** False if nothing changed. */
  put(overview: SkillOverview): boolean {
    const entry = this.#byId.get(overview.id);
    if (entry && same(entry.overview, overview)) return false;
    if (entry?.overview.name === overview.name && entry.overview.slug === overview.slug) entry.overview = overview;
    else this.add([overview]);
    return true;
  }

  delete(id: string): boolean {
    const entry = this.#byId.get(id);
    if (!entry) return false;
    this.#byId.delete(id);
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    return true;
  }
}

export const SCOPES: readonly Scope[] = ['workspace', 'account'];
