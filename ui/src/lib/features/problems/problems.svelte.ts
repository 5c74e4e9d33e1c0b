import { SvelteSet } from 'svelte/reactivity';
import { type SkillOverview, type Catalog, type Client, type ChangeFeed, type SkillKey, skillKey } from '$lib/api';
import { tally, type Tally } from '$lib/domain';
import type { Check, Diagnostic } from '$lib/api/generated';
import { Checks } from './checks.svelte';
import { byFile, type Filter, filtered, type Group, groupOf, type Problem, type ProblemRow, rowsOf } from './rows';

/** An open file with the diagnostics of its current text. */
export interface LiveFile extends SkillKey {
  path: string;
  diagnostics: readonly Diagnostic[];
}

export interface ProblemSource {
  files: () => readonly LiveFile[];
  show: (problem: Problem) => void;
}

export interface FilePosition {
  key: SkillKey;
  path: string;
  line: number;
  column: number;
}

function isAt({ key, path, diagnostic: { line, column } }: Problem, position: FilePosition): boolean {
  if (skillKey(key) !== skillKey(position.key) || path !== position.path) return false;
  return line === null || (line === position.line && (column ?? 1) === position.column);
}

/** The problems of all skills: current for open files, as of the last save for others. */
export class Problems {
  /** The id of the current row. */
  cursor = $state<string | null>(null);
  text = $state('');
  readonly checks: Checks;
  readonly #collapsed = new SvelteSet<string>();
  readonly #catalog: Catalog;
  readonly #source: ProblemSource;
  /** Cached groups of skills without open files. */
  readonly #known = new WeakMap<Check.SkillFindings, { skill: SkillOverview | undefined; group: Group }>();
  readonly #groups = $derived.by(() => this.#collect());
  readonly #filter = $derived.by((): Filter => ({ minSeverity: this.checks.minSeverity, text: this.text }));
  readonly groups = $derived(filtered(this.#groups, this.#filter));
  readonly rows = $derived<readonly ProblemRow[]>(rowsOf(this.groups, this.#collapsed));
  /** All problems that match the filter, also in collapsed groups. */
  readonly list = $derived<readonly Problem[]>(this.groups.flatMap((group) => group.files.flatMap((file) => file.problems)));
  /** Errors and warnings of all skills, ignoring the filter. */
  readonly count = $derived.by((): Tally => {
    const sum = { errors: 0, warnings: 0 };
    for (const { count } of this.#groups) {
      sum.errors += count.errors;
      sum.warnings += count.warnings;
    }
    return sum;
  });
  readonly index = $derived(this.rows.findIndex((row) => row.id === this.cursor));

  constructor(client: Client, feed: ChangeFeed, catalog: Catalog, source: ProblemSource) {
    this.checks = new Checks(client, feed);
    this.#catalog = catalog;
    this.#source = source;
  }

  /** The current problem. */
  get problem(): Problem | null {
    return this.list.find((problem) => problem.id === this.cursor) ?? null;
  }

  #show(problem: Problem): void {
    this.cursor = problem.id;
    this.#source.show(problem);
  }

  /** On Enter or click: opens a problem, expands or collapses other rows. */
  activate(row: ProblemRow): void {
    this.cursor = row.id;
    if (row.kind === 'problem') this.#show(row.problem);
    else this.#toggle(row);
  }

  /** The next or previous problem from a position, by default from the current row. Null if there is none. */
  step(by: 1 | -1, from: FilePosition | null = null): Problem | null {
    const { list } = this;
    const at = list.findIndex((problem) => problem.id === this.cursor);
    const current = list[at];
    // Problems can share a position or have none, so after a shown problem the next one in the list follows.
    const arrived = current !== undefined && (from === null || isAt(current, from));
    const next = from === null || arrived ? list.at(arrived ? (at + by) % list.length : by > 0 ? 0 : -1) : this.#nearest(by, from);
    if (!next) return null;
    this.#collapsed.delete(skillKey(next.key));
    this.#collapsed.delete(`${skillKey(next.key)}/${next.path ?? ''}`);
    this.#show(next);
    return next;
  }

  #nearest(by: 1 | -1, from: FilePosition): Problem | undefined {
    const skills = new Map(this.#catalog.skills.map((skill, index) => [skillKey(skill), index]));
    const here = skills.get(skillKey(from.key)) ?? skills.size;
    const order = (problem: Problem): number =>
      (skills.get(skillKey(problem.key)) ?? skills.size) - here ||
      (problem.path ?? '').localeCompare(from.path) ||
      (problem.diagnostic.line ?? 0) - from.line ||
      (problem.diagnostic.column ?? 0) - from.column;
    const { list } = this;
    return by > 0 ? (list.find((problem) => order(problem) > 0) ?? list[0]) : (list.findLast((problem) => order(problem) < 0) ?? list.at(-1));
  }

  /** Handles a key; true if it was used. */
  key(key: string): boolean {
    const { rows, index } = this;
    const row = rows[index];
    const go = (at: number): boolean => {
      this.cursor = rows[Math.max(0, Math.min(rows.length - 1, at))]?.id ?? null;
      return true;
    };
    if (key === 'ArrowDown') return go(index + 1);
    if (key === 'ArrowUp') return go(index < 0 ? 0 : index - 1);
    if (key === 'PageDown') return go(index + 10);
    if (key === 'PageUp') return go(index - 10);
    if (key === 'Home') return go(0);
    if (key === 'End') return go(rows.length - 1);
    if (!row) return false;
    if (key === 'Enter') this.activate(row);
    else if (key === 'ArrowRight') return row.kind !== 'problem' && !row.expanded ? this.#toggle(row) : go(row.kind === 'problem' ? index : index + 1);
    else if (key === 'ArrowLeft') return row.kind !== 'problem' && row.expanded ? this.#toggle(row) : go(this.#parent(index));
    else return false;
    return true;
  }

  #toggle(row: ProblemRow): true {
    if (!this.#collapsed.delete(row.id)) this.#collapsed.add(row.id);
    return true;
  }

  #parent(index: number): number {
    const level = this.rows[index]?.level ?? 1;
    for (let at = index - 1; at >= 0; at -= 1) if ((this.rows[at]?.level ?? 1) < level) return at;
    return index;
  }

  /** Groups in the order of the tree. */
  #collect(): Group[] {
    const open = new Map<string, LiveFile[]>();
    for (const file of this.#source.files()) open.set(skillKey(file), [...(open.get(skillKey(file)) ?? []), file]);
    const groups: Group[] = [];
    const seen = new Set<string>();
    const take = (key: SkillKey, skill: SkillOverview | undefined): void => {
      const name = skillKey(key);
      seen.add(name);
      const live = open.get(name);
      const found = this.checks.found.get(name);
      const group = live ? this.#live(key, skill, live, found) : found && this.#stored(skill, found);
      if (group && group.files.length + group.count.errors + group.count.warnings > 0) groups.push(group);
    };
    if (this.checks.found.size + open.size === 0) return [];
    for (const skill of this.#catalog.skills) take(skill, skill);
    // Skills that aren’t in the catalog yet, or any more.
    for (const file of open.values()) if (file[0] && !seen.has(skillKey(file[0]))) take({ scope: file[0].scope, id: file[0].id }, undefined);
    return groups;
  }

  #stored(skill: SkillOverview | undefined, found: Check.SkillFindings): Group {
    const known = this.#known.get(found);
    if (known && known.skill === skill) return known.group;
    const { errors, warnings } = found.counts;
    const group = groupOf({ scope: found.scope, id: found.id }, skill, byFile(found.diagnostics), { errors, warnings });
    this.#known.set(found, { skill, group });
    return group;
  }

  #live(key: SkillKey, skill: SkillOverview | undefined, live: readonly LiveFile[], found: Check.SkillFindings | undefined): Group {
    const stored = this.#catalog.details.get(key)?.diagnostics ?? found?.diagnostics ?? [];
    const rest = stored.filter(({ file }) => file === null || !live.some(({ path }) => path === file));
    const files = [...live.map(({ path, diagnostics }) => ({ path, diagnostics })), ...byFile(rest)];
    return groupOf(key, skill, files, tally(files.flatMap(({ diagnostics }) => diagnostics)));
  }
}
