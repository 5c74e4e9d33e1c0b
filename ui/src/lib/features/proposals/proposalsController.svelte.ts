import type { SkillKey } from '$lib/api';
import type { AcceptedProposal, Proposal } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { CompositionReview } from './compositionReview.svelte';
import { Proposals } from './proposals.svelte';

type Needs = Pick<Services, 'catalog' | 'client' | 'feed' | 'files' | 'history' | 'layout' | 'notifications' | 'toasts'>;

interface Decision {
  proposal: Proposal;
  verdict: 'accept' | 'reject';
}

export class ProposalsController {
  readonly list: Proposals;
  /** The decision to confirm in a dialog. */
  pending = $state.raw<Decision | null>(null);
  readonly review: CompositionReview;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.list = new Proposals(services.client, services.feed);
    this.review = new CompositionReview(services.client);
  }

  reset(): void {
    this.pending = null;
    this.list.reset();
  }

  open(id?: string): void {
    this.#services.layout.view = 'proposals';
    if (id !== undefined) void this.list.selection.select(id);
  }

  /** Proposes a DSPy module made of a prompt, and shows the proposal. */
  async wrap({ id, scope }: SkillKey, prompt: string): Promise<void> {
    try {
      const { proposal } = await this.#services.client.call('proposal/wrap', { skill: id, scope, prompt });
      this.open(proposal.id);
    } catch (cause) {
      this.#services.notifications.report('Couldn’t wrap the prompt', cause);
    }
  }

  /** Accepts a reviewed composition at once; other decisions are confirmed. */
  decide(verdict: Decision['verdict'], proposal = this.list.selection.proposal): void {
    if (proposal?.status !== 'open') return;
    if (verdict === 'accept' && proposal.proposal_kind === 'composer') void this.#acceptComposition(proposal);
    else this.pending = { proposal, verdict };
  }

  /** Accepts all of a composition without a review of its files. */
  async acceptAll(id: string): Promise<void> {
    const { client, notifications } = this.#services;
    try {
      const proposal = await client.call('proposal/get', { id });
      await this.accepted(proposal, await client.call('proposal/accept', { id }));
    } catch (cause) {
      notifications.report('Couldn’t accept the proposal', cause);
    }
  }

  async accepted(proposal: Proposal, { skill, revision, forked }: AcceptedProposal): Promise<void> {
    const { client, catalog, toasts } = this.#services;
    const isNew = proposal.skill_revision === 0;
    const ref = forked || isNew ? { skill } : { skill: proposal.skill_id, scope: proposal.skill_scope };
    try {
      const detail = await client.call('skill/get', ref);
      catalog.details.put(detail);
      catalog.refresh();
      const done = isNew ? `Created ${detail.name}` : forked ? `Duplicated ${detail.name} and accepted the proposal` : `Accepted the proposal as revision ${revision} of ${detail.name}`;
      const next = isNew ? { label: 'Open skill', run: () => void this.#services.files.openSkill(detail) } : { label: 'Show history', run: () => this.openHistory(detail, proposal.artifact_path) };
      toasts.show(done, { tone: 'ok', actions: [next] });
    } catch (cause) {
      this.#services.notifications.report('Accepted the proposal, but couldn’t load the skill', cause);
    }
  }

  async #acceptComposition(proposal: Proposal): Promise<void> {
    const accepted = await this.review.accept();
    if (!accepted) return;
    await Promise.all([this.list.selection.read(proposal.id), this.list.load()]);
    await this.accepted(proposal, accepted);
  }

  openHistory(skill: SkillKey, path: string | null): void {
    if (path === null) void this.#services.files.openSkill(skill);
    else this.#services.files.open(skill, path);
    this.#services.history.show(false);
  }
}
