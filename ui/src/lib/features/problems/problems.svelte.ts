import type { Brief, Catalog, SkillKey } from '$lib/api';
import { byPlace, tally } from '$lib/domain';
import type { Diagnostic } from '$lib/wire';

/** An open file with the diagnostics of its text as it is now. */
export interface LiveFile extends SkillKey {
  path: string;
  diagnostics: readonly Diagnostic[];
}

export interface Problem {
  id: string;
  key: SkillKey;
  skill: Brief | undefined;
  path: string | null;
  diagnostic: Diagnostic;
}

export interface ProblemSource {
  files: () => readonly LiveFile[];
  show: (problem: Problem) => void;
}

/** What is wrong in the skills that are open: live for open files, as of the last save for the others. */
export class Problems {
  selected = $state<string | null>(null);
  readonly #catalog: Catalog;
  readonly #source: ProblemSource;
  readonly list = $derived.by(() => this.#collect());
  readonly count = $derived(tally(this.list.map((problem) => problem.diagnostic)));

  constructor(catalog: Catalog, source: ProblemSource) {
    this.#catalog = catalog;
    this.#source = source;
  }

  show(problem: Problem): void {
    this.selected = problem.id;
    this.#source.show(problem);
  }

  /** The next problem after the one shown last, or the first. */
  step(by: 1 | -1): Problem | null {
    if (this.list.length === 0) return null;
    const at = this.list.findIndex((problem) => problem.id === this.selected);
    const start = at < 0 && by < 0 ? 0 : at;
    const next = this.list[(start + by + this.list.length) % this.list.length];
    if (next) this.show(next);
    return next ?? null;
  }

  #collect(): Problem[] {
    const found: Problem[] = [];
    const skills = new Map<string, { key: SkillKey; live: Map<string, readonly Diagnostic[]> }>();
    for (const { scope, id, path, diagnostics } of this.#source.files()) {
      const name = `${scope}:${id}`;
      const skill = skills.get(name) ?? { key: { scope, id }, live: new Map<string, readonly Diagnostic[]>() };
      skill.live.set(path, diagnostics);
      skills.set(name, skill);
    }
    for (const { key, live } of skills.values()) {
      const stored = this.#catalog.detail(key)?.diagnostics ?? [];
      const rest = stored.filter((diagnostic) => diagnostic.file === null || !live.has(diagnostic.file));
      const of = (path: string | null, list: readonly Diagnostic[]): void => {
        for (const [index, diagnostic] of [...list].sort(byPlace).entries()) {
          const id = `${key.scope}:${key.id}/${path ?? ''}#${diagnostic.rule}:${diagnostic.line ?? 0}:${diagnostic.column ?? 0}:${index}`;
          found.push({ id, key, skill: this.#catalog.summary(key), path, diagnostic });
        }
      };
      for (const [path, list] of live) of(path, list);
      for (const path of new Set(rest.map((diagnostic) => diagnostic.file))) {
        of(
          path,
          rest.filter((diagnostic) => diagnostic.file === path),
        );
      }
    }
    return found;
  }
}
