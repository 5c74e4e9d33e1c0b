import { type Client, LongCall, type SkillKey } from '$lib/api';
import type { ModelRef } from '$lib/api/generated';
import { formatUsd, tokensOf } from '$lib/domain';
import type { TriggerReport } from './types';

/** Which skill fires for the trigger cases of a skill: by the ranking of skills, or by a model’s choice. */
export class Triggers {
  report = $state.raw<TriggerReport | null>(null);
  /** The model that chose, and what that took; null for the ranking. */
  asked = $state.raw<{ model: ModelRef; usage: string } | null>(null);
  /** The revision of the skill that was tested; null before the first test. */
  revision = $state.raw<number | null>(null);
  readonly call: LongCall<'ranking' | 'asking'>;
  #skill: SkillKey | null = null;

  constructor(client: Client) {
    this.call = new LongCall(client);
  }

  show(skill: SkillKey | null): void {
    if (this.#skill?.id === skill?.id && this.#skill?.scope === skill?.scope) return;
    this.#skill = skill;
    this.call.abandon();
    [this.report, this.asked, this.revision] = [null, null, null];
  }

  /** Free: no model is asked. `revision`: the current one. */
  async test(revision: number): Promise<void> {
    const skill = this.#skill;
    if (skill === null) return;
    this.revision = revision;
    const report = await this.call.run('ranking', 'eval/triggers', { skill: skill.id, scope: skill.scope });
    if (report) [this.report, this.asked] = [report, null];
  }

  /** Asks the model once for each case; null for the default model. */
  async ask(revision: number, model: ModelRef | null): Promise<void> {
    const skill = this.#skill;
    if (skill === null) return;
    this.revision = revision;
    const found = await this.call.run('asking', 'eval/model_triggers', { skill: skill.id, scope: skill.scope, ...(model === null ? {} : { model }) });
    if (!found) return;
    const usage = [tokensOf(found), found.estimated_cost === null ? '' : formatUsd(found.estimated_cost)].filter(Boolean).join(', ');
    [this.report, this.asked] = [found, { model: found.model, usage }];
  }
}
