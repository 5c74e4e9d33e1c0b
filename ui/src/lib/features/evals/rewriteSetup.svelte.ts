import type { Client, Models, Settings, SkillKey } from '$lib/api';
import { RunLimits } from '$lib/features/run';
import type { CaseList } from './caseList.svelte';
import { offerModels } from './modelChoices';
import { RunEstimate } from './runEstimate.svelte';
import type { EvalParams, RewriteParams, Split } from './types';

export const MAX_ATTEMPTS = 20;
const LIMITS = 'rewrite.limits';

/** What the rewrite dialog asks for. */
interface RewriteChoice {
  /** Empty for the default model. */
  model: string;
  judge: string;
  /** A number, as it is typed. Empty for the default. */
  attempts: string;
}

interface Source {
  skill: () => SkillKey | null;
  list: CaseList;
}

/** The dialog in which a rewrite of the instructions is set up. */
export class RewriteSetup {
  isOpen = $state(false);
  choice = $state.raw<RewriteChoice>({ model: '', judge: '', attempts: '' });
  /** Of all training cases, once. */
  readonly train: RunEstimate;
  /** Of all validation cases, once. */
  readonly validation: RunEstimate;
  readonly limits: RunLimits;
  /** Task cases of each split. */
  readonly counts = $derived.by<Record<Split, number>>(() => {
    const count = (split: Split): number => this.#source.list.tasks.filter((one) => one.split === split).length;
    return { train: count('train'), validation: count('validation') };
  });
  /** Empty if it can start. */
  readonly problem = $derived.by(() => {
    if (this.counts.train === 0) return 'No training cases. Add task cases until some are in the train split.';
    if (this.#attempts === undefined) return `Enter 1 to ${MAX_ATTEMPTS} attempts.`;
    return this.limits.invalid.length > 0 ? 'Correct the limits.' : '';
  });
  readonly params = $derived.by<RewriteParams | null>(() => {
    const skill = this.#source.skill();
    if (skill === null || this.problem !== '') return null;
    const { model, judge } = this.choice;
    return {
      skill: skill.id,
      scope: skill.scope,
      ...(model === '' ? {} : { model }),
      ...(judge === '' ? {} : { judge }),
      ...(this.#attempts == null ? {} : { iterations: this.#attempts }),
      limits: this.limits.wire(),
    };
  });
  /** Null for the default, undefined if it isn’t valid. */
  readonly #attempts = $derived.by<number | null | undefined>(() => {
    const text = this.choice.attempts.trim();
    if (text === '') return null;
    const number = /^\d+$/.test(text) ? Number(text) : 0;
    return number >= 1 && number <= MAX_ATTEMPTS ? number : undefined;
  });
  readonly #models: Models;
  readonly #source: Source;

  constructor(client: Client, models: Models, settings: Settings, source: Source) {
    this.#models = models;
    this.#source = source;
    this.train = new RunEstimate(client);
    this.validation = new RunEstimate(client);
    this.limits = new RunLimits(
      settings,
      () => {
        const skill = source.skill();
        return skill && { scope: skill.scope, skillId: skill.id };
      },
      LIMITS,
    );
  }

  open(): void {
    for (const one of [this.train, this.validation]) one.clear();
    this.isOpen = true;
    offerModels(this.#models);
  }

  close(): void {
    this.isOpen = false;
    for (const one of [this.train, this.validation]) one.clear();
  }

  change(change: Partial<RewriteChoice>): void {
    this.choice = { ...this.choice, ...change };
  }

  /** Estimates what each pass over the cases costs. */
  estimate(): void {
    const skill = this.#source.skill();
    const { model, judge } = this.choice;
    const params = (split: Split): EvalParams | null =>
      skill === null || this.counts[split] === 0
        ? null
        : // A candidate’s requests aren’t cached.
          { skill: skill.id, scope: skill.scope, split, without_baseline: true, fresh: true, ...(model === '' ? {} : { models: [model] }), ...(judge === '' ? {} : { judge }) };
    this.train.estimate(params('train'));
    this.validation.estimate(params('validation'));
  }
}
