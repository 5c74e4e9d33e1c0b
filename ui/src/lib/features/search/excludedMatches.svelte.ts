import { SvelteSet } from 'svelte/reactivity';
import type { Row } from './rows';
import type { SearchResults } from './searchResults.svelte';

/** The matches that a replacement skips. */
export class ExcludedMatches {
  readonly #marks = new SvelteSet<string>();
  /** The number of matches that a replacement skipped, by file. Afterwards they are all matches of the file. */
  #remaining = new Map<string, number>();
  readonly count = $derived.by(() =>
    this.#results.skills.reduce((sum, skill) => sum + skill.files.reduce((part, file) => part + file.matches.filter(({ mark }) => this.#marks.has(mark)).length, 0), 0),
  );
  readonly #results: SearchResults;

  constructor(results: SearchResults) {
    this.#results = results;
  }

  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  /** Excludes or includes a match, or all matches of a file or skill. */
  toggle(row: Row, excluded = row.out !== 'all'): void {
    for (const mark of this.#marksOf(row)) {
      if (excluded) this.#marks.add(mark);
      else this.#marks.delete(mark);
    }
  }

  clear(): void {
    this.#marks.clear();
  }

  /** Keeps matches excluded after a replacement changed their lines. */
  remember(files: ReadonlySet<string>): void {
    for (const { id, matches } of this.#files()) {
      if (files.has(id)) this.#remaining.set(id, matches.filter(({ mark }) => this.#marks.has(mark)).length);
    }
  }

  restore(): void {
    for (const { id, matches } of this.#files()) {
      if (matches.length === this.#remaining.get(id)) for (const { mark } of matches) this.#marks.add(mark);
    }
    this.#remaining.clear();
  }

  #files() {
    return this.#results.skills.flatMap((skill) => skill.files);
  }

  #marksOf(row: Row): string[] {
    const skill = this.#results.skills.find(({ skill: one }) => one === row.skill);
    const files = skill?.files.filter(({ id }) => row.kind === 'skill' || id === (row.kind === 'file' ? row.id : row.parent)) ?? [];
    const found = files.flatMap(({ matches }) => matches);
    return found.filter((one) => row.kind !== 'match' || one.row === row.id).map(({ mark }) => mark);
  }
}
