import type { SkillKey } from '$lib/api';
import type { Proposal } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
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
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.list = new Proposals(services.client, services.feed);
  }

  reset(): void {
    this.pending = null;
    this.list.reset();
  }

  open(id?: string): void {
    this.#services.layout.view = 'proposals';
    if (id !== undefined) void this.list.selection.select(id);
  }

  decide(verdict: Decision['verdict'], proposal = this.list.selection.proposal): void {
    if (proposal?.status === 'open') this.pending = { proposal, verdict };
  }

  async accepted(proposal: Proposal, { skill, revision, forked }: Proposal.AcceptedProposal): Promise<void> {
    const { client, catalog, toasts } = this.#services;
    const ref = forked ? { skill } : { skill: proposal.skill_id, scope: proposal.skill_scope };
    try {
      const detail = await client.call('skill/get', ref);
      catalog.details.put(detail);
      catalog.refresh();
      toasts.show(forked ? `Duplicated ${detail.name} and accepted the proposal` : `Accepted the proposal as revision ${revision} of ${detail.name}`, {
        tone: 'ok',
        actions: [{ label: 'Show history', run: () => this.openHistory(detail, proposal.artifact_path) }],
      });
    } catch (cause) {
      this.#services.notifications.report('Accepted the proposal, but couldn’t load the skill', cause);
    }
  }

  openHistory(skill: SkillKey, path: string | null): void {
    if (path === null) void this.#services.files.openSkill(skill);
    else this.#services.files.open(skill, path);
    this.#services.history.show(false);
  }
}
