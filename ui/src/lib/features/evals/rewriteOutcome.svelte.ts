import type { Client, SkillKey } from '$lib/api';
import type { Proposal } from '$lib/api/generated';
import type { Comparison, EvalSummary, PassRate, Rewrite } from './types';

/** Runs of a rewrite beside those of its attempts: the baseline and the validation; the rest are runs of others meanwhile. */
const FURTHER_RUNS = 10;
const MAX_RUNS = 100;

/** The pass rates of one split with their intervals. */
export interface SplitRates {
  before: PassRate;
  after: PassRate;
  comparison: Comparison | null;
}

/** The result of a rewrite, and what became of its proposal. */
export class RewriteOutcome {
  readonly value: Rewrite;
  readonly skill: SkillKey;
  readonly wasCanceled: boolean;
  /** Null without one, and until it is read. */
  proposal = $state.raw<Proposal | null>(null);
  /** Null for a split that wasn’t run with the candidate, and until it is read. */
  train = $state.raw<SplitRates | null>(null);
  validation = $state.raw<SplitRates | null>(null);
  /** The revision that was made of it; null unless it was accepted. */
  readonly revision = $derived.by(() => this.value.promoted?.revision ?? (this.proposal?.status === 'accepted' ? this.proposal.revision : null));
  readonly #client: Client;

  constructor(client: Client, skill: SkillKey, value: Rewrite, wasCanceled: boolean) {
    this.#client = client;
    this.skill = skill;
    this.value = value;
    this.wasCanceled = wasCanceled;
  }

  async readProposal(): Promise<void> {
    const { proposal: id } = this.value;
    if (id === null) return;
    try {
      this.proposal = await this.#client.call('proposal/get', { id });
    } catch {
      // It may be deleted; the result is shown without what became of it.
    }
  }

  async readRates(): Promise<void> {
    const { attempts, validation_run: validation } = this.value;
    try {
      const { runs } = await this.#client.call('eval/list', { skill: this.skill.id, limit: Math.min(MAX_RUNS, attempts.length + FURTHER_RUNS) });
      const best = attempts.findLast(({ outcome }) => outcome === 'kept')?.run;
      this.train = ratesOf(runs.find(({ run }) => run.id === best));
      this.validation = ratesOf(runs.find(({ run }) => run.id === validation));
    } catch {
      // The pass rates are shown without their intervals.
    }
  }
}

function ratesOf(run: EvalSummary | undefined): SplitRates | null {
  const [before, after] = run?.variants ?? [];
  return before?.rate && after?.rate ? { before: before.rate, after: after.rate, comparison: after.comparison } : null;
}
