import { SvelteSet } from 'svelte/reactivity';
import { asFailure, type Client } from '$lib/api';
import { folderOf } from '$lib/domain';
import type { Failure, MergeVersions, PathMerge, Target } from '$lib/api/generated';

/** The changes of an edited copy, before its skill is updated from it. */
export class CopyReview {
  /** Null while nothing is reviewed. */
  copy = $state.raw<Target.DeployedCopy | null>(null);
  report = $state.raw<Target.PullReport | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Files of which the copy’s version is used, of those that were changed in both. */
  readonly theirs = new SvelteSet<string>();
  /** Those changed in the copy. */
  readonly changes = $derived<readonly PathMerge[]>(this.report?.changes.filter(({ by }) => by !== 'ours') ?? []);
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async start(copy: Target.DeployedCopy): Promise<void> {
    this.close();
    this.copy = copy;
    try {
      const report = await this.#client.call('target/pull', { ...this.#copyParams(copy), dry_run: true });
      if (this.copy === copy) this.report = report;
    } catch (cause) {
      if (this.copy === copy) this.failure = asFailure(cause);
    }
  }

  /** The file as it was deployed, as in the skill, and as in the copy. */
  versions(copy: Target.DeployedCopy, file: string): Promise<MergeVersions> {
    return this.#client.call('target/file', { ...this.#copyParams(copy), file });
  }

  choose(file: string, theirs: boolean): void {
    if (theirs) this.theirs.add(file);
    else this.theirs.delete(file);
  }

  /** The versions of the files that were changed in both. */
  get choices(): { theirs: string[]; ours: string[] } {
    const conflicts = this.report?.conflicts ?? [];
    return { theirs: conflicts.filter((file) => this.theirs.has(file)), ours: conflicts.filter((file) => !this.theirs.has(file)) };
  }

  close(): void {
    this.copy = null;
    this.report = null;
    this.failure = null;
    this.theirs.clear();
  }

  #copyParams({ skill, scope, path }: Target.DeployedCopy): { skill: Target.PullParams['skill']; from: string } {
    return { skill: { skill, scope }, from: folderOf(path) };
  }
}
