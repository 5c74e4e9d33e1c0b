import type { Client, Models, Settings, SkillKey } from '$lib/api';
import { RunLimits } from '$lib/features/run';
import type { Skill } from '$lib/api/generated';
import type { CaseList } from './caseList.svelte';
import { offerModels } from './modelChoices';
import { chosenCases, NEW_CHOICE, paramsOf, problemOf, type RunChoice } from './runChoice';
import { RunEstimate } from './runEstimate.svelte';
import type { EvalParams } from './types';

const MAX_REVISIONS = 50;
const LIMITS = 'eval.limits';

interface Source {
  skill: () => SkillKey | null;
  list: CaseList;
  /** Keys of the selected cases. */
  selected: () => readonly string[];
}

/** The dialog in which a run is set up. */
export class RunSetup {
  isOpen = $state(false);
  choice = $state.raw<RunChoice>(NEW_CHOICE);
  /** Newest first. */
  revisions = $state.raw<readonly Skill.RevisionInfo[]>([]);
  readonly estimate: RunEstimate;
  readonly limits: RunLimits;
  readonly cases = $derived.by(() => chosenCases(this.choice, this.#source.list.tasks, this.#source.selected()));
  /** Empty if it can run. */
  readonly problem = $derived.by(() => problemOf(this.choice, this.cases.length) || (this.limits.invalid.length > 0 ? 'Correct the limits.' : ''));
  readonly params = $derived.by<EvalParams | null>(() => {
    const skill = this.#source.skill();
    return skill === null || this.problem !== '' ? null : paramsOf(this.choice, skill, this.cases.map(({ key }) => key), this.limits.wire());
  });
  readonly #client: Client;
  readonly #models: Models;
  readonly #source: Source;

  constructor(client: Client, models: Models, settings: Settings, source: Source) {
    this.#client = client;
    this.#models = models;
    this.#source = source;
    this.estimate = new RunEstimate(client);
    this.limits = new RunLimits(
      settings,
      () => {
        const skill = source.skill();
        return skill && { scope: skill.scope, skillId: skill.id };
      },
      LIMITS,
    );
  }

  open(change: Partial<RunChoice> = {}): void {
    const selected = this.#source.selected().length > 0;
    const { cases } = this.choice;
    // What was chosen last is kept, as far as it still fits.
    this.choice = { ...this.choice, cases: selected ? 'selected' : cases === 'selected' ? 'all' : cases, ...change };
    this.estimate.clear();
    this.isOpen = true;
    offerModels(this.#models);
    void this.#readRevisions();
  }

  close(): void {
    this.isOpen = false;
    this.estimate.clear();
  }

  change(change: Partial<RunChoice>): void {
    this.choice = { ...this.choice, ...change };
  }

  /** Another skill is shown. */
  reset(): void {
    this.close();
    this.revisions = [];
    this.choice = { ...this.choice, cases: 'all', tags: [], revisions: [] };
  }

  async #readRevisions(): Promise<void> {
    const skill = this.#source.skill();
    if (skill === null) return;
    try {
      const { revisions } = await this.#client.call('skill/history', { skill: skill.id, scope: skill.scope, limit: MAX_REVISIONS });
      if (this.#source.skill()?.id === skill.id) this.revisions = revisions;
    } catch {
      // Without revisions the other comparisons are possible.
    }
  }
}
