import { SvelteMap } from 'svelte/reactivity';
import { type Client, LongCall, type SkillKey } from '$lib/api';
import type { Publish } from '$lib/api/generated';
import { isReleased, keyOf, plannedRow, type PlannedRow, type ReleaseEdit, rowId } from './plannedRow';

type RevisionOf = (skill: SkillKey) => number | null;

/** What publishing the chosen skills changes, and its result. */
export class Release {
  /** Null until the skills were compared with the registry. */
  plan = $state.raw<Publish.ReleasePlan | null>(null);
  /** Null until something was published. */
  report = $state.raw<Publish.ReleaseReport | null>(null);
  /** Whether a skill was changed after it was compared, so that it was compared again. */
  isReplanned = $state(false);
  readonly call: LongCall<'comparing' | 'publishing'>;
  readonly #edits = new SvelteMap<string, ReleaseEdit>();
  readonly rows = $derived<readonly PlannedRow[]>((this.plan?.skills ?? []).map((skill) => plannedRow(skill, this.#edits.get(rowId(skill)) ?? {})));
  /** Why the plan can’t be published; null if it can, or if there is none. */
  readonly obstacle = $derived.by(() => {
    const blocked = this.rows.filter(({ skill }) => skill.state === 'blocked');
    if (blocked[0]) return blocked.length === 1 ? `${blocked[0].skill.title} can’t be published. Fix its errors, or go back and deselect it.` : `${blocked.length} skills can’t be published. Fix their errors, or go back and deselect them.`;
    const wrong = this.rows.find(({ problem }) => problem !== null);
    if (wrong) return `Correct the version of ${wrong.skill.title}.`;
    return this.rows.length > 0 && !this.rows.some(isReleased) ? 'These versions are published already.' : null;
  });
  /** Revisions that were compared, by row; null once the core may have written versions itself. */
  #revisions: ReadonlyMap<string, number | null> | null = null;
  readonly #revisionOf: RevisionOf;

  constructor(client: Client, revisionOf: RevisionOf) {
    this.call = new LongCall(client);
    this.#revisionOf = revisionOf;
  }

  /** Forgets what was typed, too. */
  clear(): void {
    this.call.abandon();
    [this.plan, this.report, this.isReplanned, this.#revisions] = [null, null, false, null];
    this.#edits.clear();
  }

  edit(row: PlannedRow, change: ReleaseEdit): void {
    this.#edits.set(row.id, { ...this.#edits.get(row.id), ...change });
  }

  /** Keeps what was typed. */
  async compare(folder: string, skills: readonly SkillKey[]): Promise<void> {
    this.plan = null;
    this.isReplanned = false;
    const plan = await this.call.run('comparing', 'publish/plan', { folder, skills: skills.map(({ id, scope }) => ({ skill: id, scope })) });
    if (!plan) return;
    this.#revisions = new Map(plan.skills.map((skill) => [rowId(skill), this.#revision(skill)]));
    this.plan = plan;
  }

  /** Compares again if a skill was changed meanwhile: what is published was reviewed. */
  async publish(target: Publish.PublishTarget): Promise<void> {
    if (!this.plan || this.obstacle !== null || this.call.busy) return;
    const rows = this.rows.filter(isReleased);
    if (this.#revisions !== null && this.rows.some(({ id, skill }) => this.#revisions?.get(id) !== this.#revision(skill))) {
      await this.compare(target.folder, this.rows.flatMap(({ skill }) => keyOf(skill) ?? []));
      this.isReplanned = true;
      return;
    }
    const skills = rows.map(({ skill, version, changelog }) => ({ skill: skill.id ?? skill.slug, scope: skill.scope, version: version.trim(), changelog: changelog.trim() || null }));
    this.#revisions = null;
    const report = await this.call.run('publishing', 'publish/release', { target, skills });
    if (report) this.report = { ...report, unchanged: this.rows.length - rows.length };
  }

  /** Of a published skill. */
  titleOf(slug: string): string {
    return this.rows.find(({ skill }) => skill.slug === slug)?.skill.title ?? slug;
  }

  #revision(skill: Publish.PlannedSkill): number | null {
    const key = keyOf(skill);
    return key === null ? null : this.#revisionOf(key);
  }
}
