import type { Catalog, SkillKey } from '$lib/api';
import { fuzzy } from '$lib/domain';
import type { FileEntry, SkillSummary } from '$lib/wire';

export interface Goal {
  id: string;
  key: SkillKey;
  skill: SkillSummary;
  /** Null: the skill itself. */
  entry: FileEntry | null;
  /** What is shown, and where in it the query was found. */
  text: string;
  at: number[];
}

const SHOWN = 50;
/** Up to this many skills have their files read in the background, so that a file can be found in a skill not seen yet. */
const READ_ALONG = 300;
const AT_ONCE = 4;

/** Finds skills by name and files by path. */
export class QuickOpen {
  query = $state('');
  reading = $state(false);
  readonly #catalog: Catalog;
  readonly #recent: () => readonly string[];
  readonly goals = $derived.by(() => this.#search());

  constructor(catalog: Catalog, recent: () => readonly string[]) {
    this.#catalog = catalog;
    this.#recent = recent;
  }

  start(): void {
    this.query = '';
    void this.#readAlong();
  }

  async #readAlong(): Promise<void> {
    if (this.reading) return;
    const missing = this.#catalog.skills.filter((skill) => !this.#catalog.detail(skill)).slice(0, READ_ALONG);
    if (missing.length === 0) return;
    this.reading = true;
    const next = async (): Promise<void> => {
      for (let skill = missing.shift(); skill; skill = missing.shift()) await this.#catalog.load(skill);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    this.reading = false;
  }

  #search(): Goal[] {
    const query = this.query.trim();
    const recent = this.#recent();
    const found: { goal: Goal; score: number }[] = [];
    for (const skill of this.#catalog.skills) {
      if (skill.shadowed && query === '') continue;
      const id = `${skill.scope}:${skill.id}`;
      const match = fuzzy(query, skill.name) ?? fuzzy(query, skill.slug);
      if (match) {
        const text = fuzzy(query, skill.name) ? skill.name : skill.slug;
        const score = match.score + (skill.shadowed ? -30 : 4);
        found.push({ goal: { id, key: skill, skill, entry: null, text, at: match.at }, score });
      }
      for (const entry of this.#catalog.detail(skill)?.entries ?? []) {
        const file = `${id}/${entry.path}`;
        const place = recent.indexOf(file);
        if (query === '' && place < 0) continue;
        const byPath = fuzzy(query, entry.path);
        const byBoth = byPath ? null : fuzzy(query, `${skill.slug}/${entry.path}`);
        const hit = byPath ?? byBoth;
        if (!hit) continue;
        const text = byPath ? entry.path : `${skill.slug}/${entry.path}`;
        const score = hit.score + (place < 0 ? 0 : 30 - place) - (skill.shadowed ? 30 : 0);
        found.push({ goal: { id: file, key: skill, skill, entry, text, at: hit.at }, score });
      }
    }
    found.sort((a, b) => b.score - a.score || (a.goal.text < b.goal.text ? -1 : 1));
    return found.slice(0, SHOWN).map(({ goal }) => goal);
  }
}
