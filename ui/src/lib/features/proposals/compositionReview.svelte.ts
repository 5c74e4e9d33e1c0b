import { asFailure, type Client, Debounce } from '$lib/api';
import type { AcceptedProposal, Failure, Proposal, Scope } from '$lib/api/generated';
import { FileSelection } from './fileSelection.svelte';

const SAVE_AFTER_MS = 500;

/** The files of a proposal of the Composer while they are reviewed: which are accepted, and how they were edited. */
export class CompositionReview {
  review = $state.raw<Proposal.ProposalReview | null>(null);
  /** Why it couldn’t be loaded, saved or accepted. */
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  /** The file that is shown. Its version changes when its text was changed by someone else. */
  shown = $state.raw<{ path: string; version: number } | null>(null);
  /** The scope of a new skill. */
  scope = $state<Scope>('account');
  readonly selection = new FileSelection(() => this.review?.files ?? []);
  readonly #client: Client;
  #typed: { path: string; text: string } | null = null;
  #saving: Promise<void> = Promise.resolve();
  readonly #soon = new Debounce(SAVE_AFTER_MS, () => void this.save());

  constructor(client: Client) {
    this.#client = client;
  }

  async load(id: string): Promise<void> {
    try {
      this.#take(await this.#client.call('proposal/review', { id }));
      this.failure = null;
    } catch (cause) {
      if (this.review?.proposal.id !== id) this.review = null;
      this.failure = asFailure(cause);
    }
  }

  async show(path: string): Promise<void> {
    await this.save();
    this.shown = { path, version: 0 };
  }

  /** Takes an edit of the shown file, and saves it soon. */
  type(text: string): void {
    if (!this.shown) return;
    this.#typed = { path: this.shown.path, text };
    this.#soon.touch();
  }

  async save(): Promise<void> {
    this.#soon.cancel();
    const [typed, id] = [this.#typed, this.review?.proposal.id];
    this.#typed = null;
    if (typed && id !== undefined) {
      const before = this.#saving;
      this.#saving = (async () => {
        await before;
        try {
          const review = await this.#client.call('proposal/edit', { id, path: typed.path, content: typed.text });
          this.failure = null;
          this.#take(review, typed.path);
        } catch (cause) {
          this.failure = asFailure(cause);
          this.#typed ??= typed;
        }
      })();
    }
    await this.#saving;
  }

  /** Merges the proposal with the skill as it is now, and shows the first conflict. */
  async rebase(): Promise<void> {
    await this.save();
    const id = this.review?.proposal.id;
    if (id === undefined || this.failure || this.busy) return;
    this.busy = true;
    try {
      this.#take(await this.#client.call('proposal/rebase', { id }));
      const path = this.review?.files.find((one) => one.conflict)?.path ?? this.shown?.path;
      // Both sides of the comparison may have changed.
      if (path !== undefined) this.shown = { path, version: (this.shown?.version ?? 0) + 1 };
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }

  /** Null if it can’t be accepted; the reason is the failure. */
  async accept(): Promise<AcceptedProposal | null> {
    await this.save();
    const { review } = this;
    const { included } = this.selection;
    if (!review || this.failure || this.busy) return null;
    this.busy = true;
    try {
      const paths = included.length === review.files.length ? null : included;
      return await this.#client.call('proposal/accept', { id: review.proposal.id, paths, scope: review.new_skill ? this.scope : null });
    } catch (cause) {
      this.failure = asFailure(cause);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** `edited` is the path of a text that is shown as it is, whatever was stored. */
  #take(review: Proposal.ProposalReview, edited?: string): void {
    const path = this.shown?.path;
    const textOf = (of: Proposal.ProposalReview | null): string | null | undefined => of?.files.find((one) => one.path === path)?.after;
    if (this.review?.proposal.id === review.proposal.id) {
      const isOwn = path === edited || path === this.#typed?.path;
      if (this.shown && !isOwn && textOf(this.review) !== textOf(review)) this.shown = { ...this.shown, version: this.shown.version + 1 };
    } else {
      this.selection.clear();
      this.#typed = null;
      this.shown = null;
      this.scope = review.proposal.skill_scope;
    }
    this.review = review;
    if (!review.files.some((one) => one.path === this.shown?.path)) {
      const first = review.files.find((one) => one.path === 'SKILL.md') ?? review.files[0];
      this.shown = first ? { path: first.path, version: 0 } : null;
    }
  }
}
