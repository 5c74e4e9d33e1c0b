import { asFailure, type Client, type SkillKey } from '$lib/api';
import type { Toasts } from '$lib/components';
import { plural } from '$lib/domain';
import type { EditResult, Failure, Replaced, ReplaceFile, SkillMatches } from '$lib/api/generated';
import { fileRowId } from './rows';
import type { Search } from './search.svelte';

export interface ReplacingPorts {
  /** Whether a file has text that isn't saved. */
  unsaved: (key: SkillKey, path: string) => boolean;
  /** Sends all typing to the core, which refuses files that have some. */
  keep: () => Promise<void>;
  nameOf: (key: SkillKey) => string;
  /** A skill was put back. */
  put: (result: EditResult) => void;
}

/** What a replacement would do, said before it is done. */
export interface Plan {
  files: ReplaceFile[];
  matches: number;
  changedFiles: number;
  changedSkills: number;
  locked: SkillMatches[];
  /** Skills that stay as they are because of these files. */
  unsaved: { skill: SkillMatches; paths: string[] }[];
  /** There are more matches than are listed. */
  more: boolean;
}

/** A skill that was left as it is, and why. */
export interface KeptSkill {
  key: SkillKey;
  name: string;
  failure: Failure;
}

/** Replacing what a search found: asked for once, undone by going back to the revisions before. */
export class Replacing {
  asking = $state(false);
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  #result = $state.raw<{ text: string; kept: KeptSkill[] }>({ text: '', kept: [] });
  /** What the last replacement left as it is, until something else is looked for. */
  readonly kept = $derived.by(() => (this.#search.text === this.#result.text ? this.#result.kept : []));
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

  /** Asks whether to do it, once the matches are those of what is typed. */
  async ask(): Promise<void> {
    await this.#search.settle();
    if (this.#search.failure || this.#search.answered?.replacement == null || this.plan.files.length === 0) return;
    this.failure = null;
    this.asking = true;
  }

  cancel(): void {
    this.asking = false;
  }

  async apply(): Promise<void> {
    const asked = this.#search.answered;
    const { files } = this.plan;
    if (this.busy || asked?.replacement == null) return;
    this.busy = true;
    this.failure = null;
    try {
      await this.#ports.keep();
      const { changed, kept } = await this.#client.call('text/replace', { query: asked.query, replacement: asked.replacement, files });
      const named = kept.map(({ id, scope, failure }) => ({ key: { id, scope }, name: this.#ports.nameOf({ id, scope }), failure }));
      this.#result = { text: asked.query.text, kept: named };
      this.asking = false;
      this.#search.replaced(new Set(changed.flatMap((one) => one.files.map((path) => fileRowId(one, path)))));
      if (changed.length > 0) this.#tell(changed);
      this.#search.again();
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }

  dismissKept(one?: KeptSkill): void {
    this.#result = { ...this.#result, kept: one ? this.#result.kept.filter((other) => other !== one) : [] };
  }

  #tell(changed: readonly Replaced[]): void {
    const matches = changed.reduce((sum, one) => sum + one.matches, 0);
    this.#toasts.show(`Replaced ${plural(matches, 'match', 'matches')} in ${plural(changed.length, 'skill')}`, {
      actions: [{ label: 'Undo', run: () => this.#undo(changed) }],
    });
  }

  /** Each skill goes back to the revision before, unless it was changed since. */
  async #undo(changed: readonly Replaced[]): Promise<void> {
    const failed: string[] = [];
    for (const { id, scope, revision } of changed) {
      try {
        this.#ports.put(await this.#client.call('skill/rollback', { skill: id, scope, number: revision - 1, expected: revision }));
      } catch (cause) {
        const { code, message } = asFailure(cause);
        failed.push(`${this.#ports.nameOf({ id, scope })}: ${code === 'revisionConflict' ? 'changed since then. Restore it from its history' : message}`);
      }
    }
    this.#search.again();
    const back = changed.length - failed.length;
    if (failed.length === 0) this.#toasts.show(`Undid the replacement in ${plural(back, 'skill')}`, { lasts: 4_000 });
    else this.#toasts.show(back === 0 ? 'Couldn’t undo the replacement' : `Undid the replacement in ${plural(back, 'skill')}, failed in ${failed.length}`, { tone: 'warn', hint: failed.join('. '), lasts: 0 });
  }

  #plan(): Plan {
    const plan: Plan = { files: [], matches: 0, changedFiles: 0, changedSkills: 0, locked: [], unsaved: [], more: this.#search.found?.more ?? false };
    for (const { skill, files } of this.#search.skills) {
      const mine = files
        .map(({ file, matches }) => ({ path: file.path, matches: matches.flatMap(({ mark }, index) => (this.#search.isOut(mark) ? [] : [index])) }))
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
