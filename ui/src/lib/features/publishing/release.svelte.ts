import { SvelteMap } from 'svelte/reactivity';
import { type Client, LongCall, type SkillKey, skillKey } from '$lib/api';
import type { Publish } from '$lib/api/generated';
import { isReleased, keyOf, plannedRow, type PlannedRow, type ReleaseEdit, rowId } from './plannedRow';

/** By key of the skill. */
type Revisions = ReadonlyMap<string, number>;

const SCOPES = ['workspace', 'account'] as const;

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
  /** Those that were compared; null once the core may have written versions itself. */
  #revisions: Revisions | null = null;

  constructor(client: Client) {
    this.call = new LongCall(client);
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
    // Read first: a skill that is saved meanwhile is compared again.
    const revisions = await this.#readRevisions('comparing', skills);
    if (!revisions) return;
    const plan = await this.call.run('comparing', 'publish/plan', { folder, skills: skills.map(({ id, scope }) => ({ skill: id, scope })) });
    if (plan) [this.#revisions, this.plan] = [revisions, plan];
  }

  /** Compares again if a skill was changed meanwhile: only what was reviewed is published. */
  async publish(target: Publish.PublishTarget): Promise<void> {
    if (!this.plan || this.obstacle !== null || this.call.busy) return;
    const keys = this.rows.flatMap(({ skill }) => keyOf(skill) ?? []);
    if (this.#revisions !== null) {
      const revisions = await this.#readRevisions('publishing', keys);
      // The canceled call was a short one.
      if (!revisions || this.call.isCanceling) return;
      if (keys.some((key) => revisions.get(skillKey(key)) !== this.#revisions?.get(skillKey(key)))) {
        await this.compare(target.folder, keys);
        this.isReplanned = true;
        return;
      }
    }
    const rows = this.rows.filter(isReleased);
    const skills = rows.map(({ skill, version, changelog }) => ({ skill: skill.id ?? skill.slug, scope: skill.scope, version: version.trim(), changelog: changelog.trim() || null }));
    this.#revisions = null;
    const report = await this.call.run('publishing', 'publish/release', { target, skills });
    if (report) this.report = { ...report, unchanged: this.rows.length - rows.length };
  }

  /** Of a published skill. */
  titleOf(slug: string): string {
    return this.rows.find(({ skill }) => skill.slug === slug)?.skill.title ?? slug;
  }

  /** Null if it failed. */
  async #readRevisions(doing: 'comparing' | 'publishing', skills: readonly SkillKey[]): Promise<Revisions | null> {
    const revisions = new Map<string, number>();
    for (const scope of SCOPES) {
      const ids = skills.filter((skill) => skill.scope === scope).map(({ id }) => id);
      if (ids.length === 0) continue;
      const page = await this.call.run(doing, 'skill/tree', { only: { scope, ids } });
      if (!page) return null;
      for (const skill of page.skills) revisions.set(skillKey(skill), skill.revision);
    }
    return revisions;
  }
}
