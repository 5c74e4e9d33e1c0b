import { asFailure, type Client, type SkillKey } from '$lib/api';
import type { Toasts } from '$lib/components';
import { plural } from '$lib/domain';
import type { EditResult, Failure, Texts } from '$lib/api/generated';
import { fileRowId } from './rows';
import type { Search } from './search.svelte';

export interface ReplacingPorts {
  unsaved: (key: SkillKey, path: string) => boolean;
  /** Stores drafts, since the core refuses to replace in files that have one. */
  keep: () => Promise<void>;
  nameOf: (key: SkillKey) => string;
  /** A replacement in a skill was undone. */
  put: (result: EditResult) => void;
}

/** The effect of a replacement, shown for confirmation. */
export interface Plan {
  files: Texts.ReplaceFile[];
  matches: number;
  changedFiles: number;
  changedSkills: number;
  locked: Texts.SkillMatches[];
  /** Files with unsaved changes, whose skills are skipped. */
  unsaved: { skill: Texts.SkillMatches; paths: string[] }[];
  more: boolean;
}

export interface SkippedSkill {
  key: SkillKey;
  name: string;
  failure: Failure;
}

/** Replaces all matches after confirmation. Undo restores the previous revisions. */
export class Replacing {
  asking = $state(false);
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  #result = $state.raw<{ text: string; skipped: SkippedSkill[] }>({ text: '', skipped: [] });
  /** The skills that the last replacement skipped, until the next search. */
  readonly skipped = $derived.by(() => (this.#search.query.text === this.#result.text ? this.#result.skipped : []));
  readonly plan = $derived.by(() => this.#plan());
  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #search: Search;
  readonly #ports: ReplacingPorts;

  constructor(client: Client, toasts: Toasts, search: Search, ports: ReplacingPorts) {
    this.#client = client;
    this.#toasts = toasts;
    this.#search = search;
    this.#ports = ports;
  }

  /** Asks for confirmation once the matches are up to date. */
  async ask(): Promise<void> {
    await this.#search.results.ensureCurrent();
    if (this.#search.results.failure || this.#search.results.answered?.replacement == null || this.plan.files.length === 0) return;
    this.failure = null;
    this.asking = true;
  }

  cancel(): void {
    this.asking = false;
  }

  async apply(): Promise<void> {
    const asked = this.#search.results.answered;
    const { files } = this.plan;
    if (this.busy || asked?.replacement == null) return;
    this.busy = true;
    this.failure = null;
    try {
      await this.#ports.keep();
      const { changed, refused } = await this.#client.call('text/replace', { query: asked.query, replacement: asked.replacement, files });
      const named = refused.map(({ id, scope, failure }) => ({ key: { id, scope }, name: this.#ports.nameOf({ id, scope }), failure }));
      this.#result = { text: asked.query.text, skipped: named };
      this.asking = false;
      this.#search.excluded.remember(new Set(changed.flatMap((one) => one.files.map((path) => fileRowId(one, path)))));
      if (changed.length > 0) this.#tell(changed);
      this.#search.results.again();
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }

  dismissSkipped(one?: SkippedSkill): void {
    this.#result = { ...this.#result, skipped: one ? this.#result.skipped.filter((other) => other !== one) : [] };
  }

  #tell(changed: readonly Texts.ReplacedSkill[]): void {
    const matches = changed.reduce((sum, one) => sum + one.matches, 0);
    this.#toasts.show(`Replaced ${plural(matches, 'match', 'matches')} in ${plural(changed.length, 'skill')}`, {
      actions: [{ label: 'Undo', run: () => this.#undo(changed) }],
    });
  }

  /** Restores the previous revision of each skill, unless it was changed since. */
  async #undo(changed: readonly Texts.ReplacedSkill[]): Promise<void> {
    const failed: string[] = [];
    for (const { id, scope, revision } of changed) {
      try {
        this.#ports.put(await this.#client.call('skill/rollback', { skill: id, scope, number: revision - 1, expected: revision }));
      } catch (cause) {
        const { code, message } = asFailure(cause);
        failed.push(`${this.#ports.nameOf({ id, scope })}: ${code === 'revisionConflict' ? 'changed since then. Restore it from its history' : message}`);
      }
    }
    this.#search.results.again();
    const back = changed.length - failed.length;
    if (failed.length === 0) this.#toasts.show(`Undid the replacement in ${plural(back, 'skill')}`, { lasts: 4_000 });
    else this.#toasts.show(back === 0 ? 'Couldn’t undo the replacement' : `Undid the replacement in ${plural(back, 'skill')}, failed in ${failed.length}`, { tone: 'warn', hint: failed.join('. '), lasts: 0 });
  }

  #plan(): Plan {
    const plan: Plan = { files: [], matches: 0, changedFiles: 0, changedSkills: 0, locked: [], unsaved: [], more: this.#search.results.found?.more ?? false };
    for (const { skill, files } of this.#search.results.skills) {
      const mine = files
        .map(({ file, matches }) => ({ path: file.path, matches: matches.flatMap(({ mark }, index) => (this.#search.excluded.has(mark) ? [] : [index])) }))
        .filter(({ matches }) => matches.length > 0);
      if (mine.length === 0) continue;
      plan.files.push(...mine.map(({ path, matches }) => ({ skill: skill.id, scope: skill.scope, revision: skill.revision, path, matches })));
      const unsaved = mine.map(({ path }) => path).filter((path) => this.#ports.unsaved(skill, path));
      if (skill.locked) plan.locked.push(skill);
      else if (unsaved.length > 0) plan.unsaved.push({ skill, paths: unsaved });
      else {
        plan.changedSkills += 1;
        plan.changedFiles += mine.length;
        plan.matches += mine.reduce((sum, { matches }) => sum + matches.length, 0);
      }
    }
    return plan;
  }
}
