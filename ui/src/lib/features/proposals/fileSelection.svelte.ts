import { SvelteSet } from 'svelte/reactivity';
import type { Proposal } from '$lib/api/generated';

/** The files of a proposal that are to be accepted: all but those that were excluded. */
export class FileSelection {
  readonly #files: () => Proposal.ProposalReview['files'];
  readonly #excluded = new SvelteSet<string>();
  readonly included = $derived.by(() => this.#files().map((one) => one.path).filter((path) => !this.#excluded.has(path)));
  /** Included files that have conflicts. */
  readonly conflicts = $derived.by(() => this.#files().filter((one) => one.conflict && !this.#excluded.has(one.path)).map((one) => one.path));

  constructor(files: () => Proposal.ProposalReview['files']) {
    this.#files = files;
  }

  toggle(path: string): void {
    if (!this.#excluded.delete(path)) this.#excluded.add(path);
  }

  clear(): void {
    this.#excluded.clear();
  }
}
