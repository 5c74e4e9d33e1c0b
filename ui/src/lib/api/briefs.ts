import type { Scope, SkillListItem, SkillSummary } from '$lib/api/generated';

/** A skill as lists know it: what the core left out as usual is filled in. A summary is one too. */
export type Brief = Pick<
  SkillSummary,
  'id' | 'scope' | 'slug' | 'name' | 'revision' | 'source' | 'lifecycle' | 'enabled' | 'locked' | 'shadows' | 'shadowed' | 'collides_with' | 'tags' | 'kinds'
>;

const NONE: never[] = [];

export const filled = (brief: SkillListItem): Brief => ({
  ...brief,
  source: brief.source ?? 'user',
  locked: brief.locked ?? false,
  shadows: brief.shadows ?? false,
  shadowed: brief.shadowed ?? false,
  collides_with: brief.collides_with ?? null,
  tags: brief.tags ?? NONE,
  kinds: brief.kinds ?? NONE,
});

export const briefOf = (skill: Brief): Brief => {
  const { id, scope, slug, name, revision, source, lifecycle, enabled, locked, shadows, shadowed, collides_with, tags, kinds } = skill;
  return { id, scope, slug, name, revision, source, lifecycle, enabled, locked, shadows, shadowed, collides_with, tags, kinds };
};

/**
 * What skills are in order by: the title without marks and case, numbers by their value. Comparing these is many times faster
 * than a collator's comparison, which takes longer than a frame for thousands of skills.
 */
export function orderKey(name: string, slug: string): string {
  const plain = /^[\x20-\x7e]*$/.test(name) ? name : name.normalize('NFKD').replace(/\p{M}+/gu, '');
  return `${plain.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'))}\u0000${slug}`;
}

const same = (a: Brief, b: Brief): boolean =>
  (Object.keys(a) as (keyof Brief)[]).every((key) => a[key] === b[key] || (Array.isArray(a[key]) && String(a[key]) === String(b[key])));

interface Placed {
  order: string;
  brief: Brief;
}

/** The skills of one scope, in order. */
export class Shelf {
  #placed: Placed[] = [];
  readonly #byId = new Map<string, Placed>();

  get(id: string): Brief | undefined {
    return this.#byId.get(id)?.brief;
  }

  list(): Brief[] {
    return this.#placed.map(({ brief }) => brief);
  }

  /** A page: merged into what is there, which costs one pass. */
  add(briefs: readonly Brief[]): void {
    const page: Placed[] = [];
    for (const brief of briefs) {
      if (this.#byId.has(brief.id)) this.delete(brief.id);
      const placed = { order: orderKey(brief.name, brief.slug), brief };
      this.#byId.set(brief.id, placed);
      page.push(placed);
    }
    page.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
    const before = this.#placed;
    const merged: Placed[] = [];
    let at = 0;
    for (const next of page) {
      for (let one = before[at]; one && one.order <= next.order; one = before[++at]) merged.push(one);
      merged.push(next);
    }
    for (let one = before[at]; one; one = before[++at]) merged.push(one);
    this.#placed = merged;
  }

  /** False when it is there just like that. */
  put(brief: Brief): boolean {
    const placed = this.#byId.get(brief.id);
    if (placed && same(placed.brief, brief)) return false;
    if (placed?.brief.name === brief.name && placed.brief.slug === brief.slug) placed.brief = brief;
    else this.add([brief]);
    return true;
  }

  delete(id: string): boolean {
    const placed = this.#byId.get(id);
    if (!placed) return false;
    this.#byId.delete(id);
    this.#placed.splice(this.#placed.indexOf(placed), 1);
    return true;
  }
}

export const SCOPES: readonly Scope[] = ['workspace', 'account'];
