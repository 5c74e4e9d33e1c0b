import { SvelteSet } from 'svelte/reactivity';
import type { SkillKey } from '$lib/api';
import { afterKey } from '$lib/domain';
import type { Texts } from '$lib/api/generated';
import type { ExcludedMatches } from './excludedMatches.svelte';
import { flatten, type MatchRow, type Row } from './rows';
import type { SearchResults } from './searchResults.svelte';

export interface SearchEvents {
  /** In a preview, the focus stays in the list. */
  open: (key: SkillKey, path: string, match: Texts.Match, how: 'glance' | 'step' | 'open') => void;
}

/** The matches as a tree of skills, files and matches, with a cursor. */
export class MatchList {
  cursor = $state<string | null>(null);
  readonly #closed = new SvelteSet<string>();
  readonly rows = $derived.by(() =>
    flatten(
      this.#results.skills,
      (id) => this.#closed.has(id),
      (mark) => this.#excluded.has(mark),
    ),
  );
  readonly index = $derived(this.rows.findIndex((row) => row.id === this.cursor));
  readonly current = $derived<Row | null>(this.rows[this.index] ?? null);
  readonly #results: SearchResults;
  readonly #excluded: ExcludedMatches;
  readonly #events: SearchEvents;

  constructor(results: SearchResults, excluded: ExcludedMatches, events: SearchEvents) {
    this.#results = results;
    this.#excluded = excluded;
    this.#events = events;
  }

  clear(): void {
    this.cursor = null;
    this.#closed.clear();
  }

  collapseAll(): void {
    for (const skill of this.#results.skills) this.#closed.add(skill.id);
    this.cursor = this.rows[0]?.id ?? null;
  }

  toggle(row: Row): void {
    if (row.kind === 'match') return;
    if (row.expanded) this.#closed.add(row.id);
    else this.#closed.delete(row.id);
  }

  click(row: Row): void {
    this.cursor = row.id;
    if (row.kind === 'match') this.#open(row, 'glance');
    else this.toggle(row);
  }

  activate(row: Row): void {
    this.cursor = row.id;
    if (row.kind === 'match') this.#open(row, 'open');
    else this.toggle(row);
  }

  /** Shows the next or previous included match; false if there is none. */
  step(by: 1 | -1): boolean {
    const all = this.#results.skills.flatMap(({ id, skill, files }) =>
      files.flatMap((one) => one.matches.map(({ row, mark, match }) => ({ above: [id, one.id], row, mark, skill, path: one.file.path, match }))),
    );
    const at = all.findIndex(({ row, above }) => row === this.cursor || above.includes(this.cursor ?? ''));
    // From a skill or file, the next match is the first one below it.
    const on = all[at]?.row === this.cursor;
    let to = at < 0 ? (by > 0 ? 0 : all.length - 1) : on || by < 0 ? at + by : at;
    for (let left = all.length; left > 0; left -= 1, to += by) {
      const next = all[(to + all.length) % all.length];
      if (!next || this.#excluded.has(next.mark)) continue;
      for (const id of next.above) this.#closed.delete(id);
      this.cursor = next.row;
      this.#events.open(next.skill, next.path, next.match, 'step');
      return true;
    }
    return false;
  }

  /** Handles a key press; false if the key does nothing. */
  key(key: string): boolean {
    const row = this.current;
    const moved = afterKey(key, this.index, this.rows.length);
    if (moved !== null) return this.#moveTo(moved);
    if (!row) return false;
    switch (key) {
      case 'ArrowRight':
        if (row.kind !== 'match' && !row.expanded) this.toggle(row);
        else if (row.kind !== 'match') this.#moveTo(this.index + 1);
        return true;
      case 'ArrowLeft':
        if (row.kind !== 'match' && row.expanded) this.toggle(row);
        else if (row.parent) this.cursor = row.parent;
        return true;
      case 'Enter':
        this.activate(row);
        return true;
      case ' ':
        this.#excluded.toggle(row);
        return true;
      case 'Delete':
        this.#excluded.toggle(row, true);
        this.#next(row);
        return true;
    }
    return false;
  }

  #open({ skill, file, match }: MatchRow, how: 'glance' | 'open'): void {
    this.#events.open(skill, file.path, match, how);
  }

  #moveTo(index: number): boolean {
    const row = this.rows[Math.max(0, index)];
    if (row) this.cursor = row.id;
    return true;
  }

  /** The index after a row and its descendants. */
  #next(row: Row): void {
    const next = this.rows.findIndex((other, at) => at > this.index && other.level <= row.level);
    if (next >= 0) this.#moveTo(next);
  }
}
