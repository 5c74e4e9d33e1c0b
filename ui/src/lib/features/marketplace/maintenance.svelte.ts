import { SvelteMap } from 'svelte/reactivity';
import { asFailure, LongCall, type SkillKey } from '$lib/api';
import { plural } from '$lib/domain';
import type { Failure, Fork, Marketplace } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'actions' | 'catalog' | 'client' | 'notifications' | 'proposals' | 'toasts'>;

const keyOf = ({ skill }: Pick<Marketplace.InstalledMarketplaceSkill, 'skill'>): SkillKey => ({ scope: 'account', id: skill });

/** Pins, removes, rolls back and updates installed skills, and merges updates into their copies. */
export class Maintenance {
  readonly updates: LongCall<'update'>;
  /** Why an action on a skill failed, by its id. */
  readonly #failures = new SvelteMap<string, Failure>();
  readonly #services: Needs;
  readonly #changed: () => void;

  constructor(services: Needs, changed: () => void) {
    this.#services = services;
    this.#changed = changed;
    this.updates = new LongCall(services.client);
  }

  failureOf(skill: string): Failure | null {
    return this.#failures.get(skill) ?? null;
  }

  dismissFailure(skill: string): void {
    this.#failures.delete(skill);
  }

  /** Updates all that need no consent. */
  async updateAll(): Promise<void> {
    if (this.updates.busy) return;
    this.#failures.clear();
    const done = await this.updates.run('update', 'marketplace/update', {});
    this.#changed();
    if (!done) {
      if (this.updates.failure && this.updates.failure.code !== 'cancelled') this.#services.notifications.report('Couldn’t update the skills', this.updates.failure, () => this.updateAll());
      return;
    }
    this.#services.catalog.refresh();
    const failed = done.failed.length > 0 ? `${plural(done.failed.length, 'skill')} couldn’t be updated: ${done.failed.map(({ slug }) => slug).join(', ')}.` : null;
    const title = done.updated.length === 0 && !failed ? 'No update can be installed without your consent' : `Updated ${plural(done.updated.length, 'skill')}`;
    this.#services.toasts.show(title, { tone: failed ? 'warn' : 'ok', hint: failed ?? (done.updated.length === 0 ? 'Update the skills one by one.' : null) });
  }

  async pin(skill: Marketplace.InstalledMarketplaceSkill, pinned: boolean): Promise<void> {
    await this.#try(skill.skill, async () => {
      await this.#services.client.call('marketplace/pin', { skill: skill.skill, pinned });
      this.#services.toasts.show(pinned ? `Pinned ${skill.title} at ${skill.version}` : `Unpinned ${skill.title}`, {
        tone: 'ok',
        hint: pinned ? 'It keeps this version until you update it.' : null,
      });
    });
  }

  async rollBack(skill: Marketplace.InstalledMarketplaceSkill): Promise<void> {
    await this.#try(skill.skill, async () => {
      const { version } = await this.#services.client.call('marketplace/rollback', { skill: skill.skill });
      this.#services.catalog.refresh();
      this.#services.toasts.show(`Rolled back ${skill.title} to ${version}`, { tone: 'ok', hint: 'It is pinned, so it keeps this version until you update it.' });
    });
  }

  /** Deletes the skill, which can be undone. */
  async remove(skill: Pick<Marketplace.InstalledMarketplaceSkill, 'skill' | 'title'>): Promise<void> {
    const found = this.#services.catalog.summary(keyOf(skill));
    if (!found) return;
    await this.#services.actions.structure.remove([{ kind: 'skill', skill: found }]);
    this.#changed();
  }

  /** Merges the changes of the original into a copy. Lines that both changed are decided in a proposal. */
  async merge(fork: Fork.OutdatedFork): Promise<void> {
    const { actions, catalog, client, proposals, toasts } = this.#services;
    if (fork.proposal !== null) {
      proposals.open(fork.proposal);
      return;
    }
    await this.#try(fork.skill, async () => {
      const key = { scope: fork.scope, id: fork.skill };
      const done = await client.call('fork/update', { skill: fork.skill, scope: fork.scope, revision: fork.revision });
      catalog.refresh();
      const kept = done.kept.length === 0 ? null : `Both changed ${done.kept.join(', ')}. Yours ${done.kept.length === 1 ? 'is' : 'are'} kept.`;
      const label = `merge ${fork.parent_slug} ${fork.version} into ${fork.title}`;
      if (done.revision !== null) actions.undoStack.push(`Merged ${fork.parent_slug} ${fork.version} into ${fork.title}`, actions.structure.revisionStep(label, key, fork.revision, done.revision), kept);
      else if (kept !== null) toasts.show(`Merged ${fork.parent_slug} ${fork.version} into ${fork.title}`, { hint: kept });
      if (done.proposal !== null) proposals.open(done.proposal);
      else if (done.conflicts.length > 0) toasts.show(`Couldn’t propose a merge of ${done.conflicts.join(', ')}`, { tone: 'warn', lasts: 0, hint: 'Both changed the same lines. Merge again to decide them.' });
    });
  }

  async #try(skill: string, work: () => Promise<void>): Promise<void> {
    this.#failures.delete(skill);
    try {
      await work();
    } catch (cause) {
      this.#failures.set(skill, asFailure(cause));
    }
    this.#changed();
  }
}
