import { asFailure, type Client } from '$lib/api';
import type { Toasts } from '$lib/components';
import { folderOf, plural } from '$lib/domain';
import type { Failure, Target } from '$lib/api/generated';
import type { CopyReview } from './copyReview.svelte';
import type { Notifications } from '$lib/workbench/notifications';

/** The copies in the folders of agents, and what can be done with one. */
export class DeployedCopies {
  /** Null until they are read. Folders that exist or have copies. */
  targets = $state.raw<readonly Target.TargetState[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Path of the copy that is being changed. */
  changing = $state.raw<string | null>(null);
  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #notifications: Notifications;
  readonly #review: CopyReview;

  constructor(client: Client, toasts: Toasts, notifications: Notifications, review: CopyReview) {
    this.#review = review;
    this.#client = client;
    this.#toasts = toasts;
    this.#notifications = notifications;
  }

  async load(): Promise<void> {
    try {
      const { targets } = await this.#client.call('target/status', {});
      this.targets = targets.filter(({ exists, copies }) => exists || copies.length > 0);
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  /** Updates the skill. Files that were changed in both need a choice, which is asked for if it is missing. */
  pull(copy: Target.DeployedCopy, choices: { theirs: string[]; ours: string[] } = { theirs: [], ours: [] }): Promise<void> {
    return this.#change(copy, `Couldn’t update ${copy.slug}`, async () => {
      const params = { skill: { skill: copy.skill, scope: copy.scope }, from: folderOf(copy.path), ...choices };
      const report = await this.#client.call('target/pull', params);
      if (report.conflicts.length > 0) await this.#review.start(copy);
      else if (report.failure) this.#notifications.report(`Updated ${copy.slug}, but not the copy`, report.failure);
      else this.#toasts.show(`Updated ${copy.slug} from ${copy.agent_name}`, { hint: `It is at revision ${report.revision}.` });
    });
  }

  /** `replaceEdited` discards the edits of the copy. */
  deploy(copy: Target.DeployedCopy, replaceEdited = false): Promise<void> {
    return this.#change(copy, `Couldn’t deploy ${copy.slug}`, async () => {
      const params = { skills: [{ skill: copy.skill, scope: copy.scope }], to: [folderOf(copy.path)], create_folders: true, replace_edited: replaceEdited };
      const { copies } = await this.#client.call('target/deploy', params);
      const failed = copies.find(({ failure }) => failure !== null);
      if (failed?.failure) this.#notifications.report(`Couldn’t deploy ${copy.slug}`, failed.failure);
      else this.#toasts.show(`Deployed ${copy.slug} to ${copy.agent_name}`);
    });
  }

  /** Whether the copy is written again whenever its skill changes. */
  watch(copy: Target.DeployedCopy, watch: boolean): Promise<void> {
    return this.#change(copy, `Couldn’t change the copy of ${copy.slug}`, async () => {
      await this.#client.call('target/deploy', { skills: [{ skill: copy.skill, scope: copy.scope }], to: [folderOf(copy.path)], watch });
    });
  }

  remove(copy: Target.DeployedCopy): Promise<void> {
    return this.#change(copy, `Couldn’t remove the copy of ${copy.slug}`, async () => {
      const { copies } = await this.#client.call('target/remove', { skills: [copy.skill], from: [folderOf(copy.path)] });
      const failed = copies.find(({ failure }) => failure !== null);
      if (failed?.failure) this.#notifications.report(`Couldn’t remove the copy of ${copy.slug}`, failed.failure);
      else this.#toasts.show(`Removed ${plural(copies.length, 'copy', 'copies')} of ${copy.slug} from ${copy.agent_name}`);
    });
  }

  async #change(copy: Target.DeployedCopy, what: string, change: () => Promise<void>): Promise<void> {
    if (this.changing !== null) return;
    this.changing = copy.path;
    try {
      await change();
    } catch (cause) {
      this.#notifications.report(what, cause);
    } finally {
      this.changing = null;
    }
    await this.load();
  }
}
