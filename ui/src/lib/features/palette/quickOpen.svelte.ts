import type { Catalog, SkillKey } from '$lib/api';
import { fuzzyWords } from '$lib/domain';
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
      const hidden = skill.shadowed ? 30 : 0;
      const named = hit(query, [skill.name, skill.slug]);
      if (named) found.push({ goal: { id, key: skill, skill, entry: null, ...named }, score: named.score + 4 - hidden });
      for (const entry of this.#catalog.detail(skill)?.entries ?? []) {
        const file = `${id}/${entry.path}`;
        const place = recent.indexOf(file);
        if (query === '' && place < 0) continue;
        const match = hit(query, [entry.path, `${skill.slug}/${entry.path}`]);
        if (!match) continue;
        const score = match.score + (place < 0 ? 0 : 30 - place) - hidden;
        found.push({ goal: { id: file, key: skill, skill, entry, ...match }, score });
      }
    }
    found.sort((a, b) => b.score - a.score || (a.goal.text < b.goal.text ? -1 : 1));
    return found.slice(0, SHOWN).map(({ goal }) => goal);
  }
}

/** The first of the texts that the query is in. */
function hit(query: string, texts: readonly string[]): { text: string; at: number[]; score: number } | null {
  for (const text of texts) {
    const match = fuzzyWords(query, text);
    if (match) return { text, ...match };
  }
  return null;
}
