import { asFailure, type Client, Debounce, Latest, type Models } from '$lib/api';
import { formatTokens, formatUsd } from '$lib/domain';
import type { Failure, Params, Run, Scope } from '$lib/api/generated';
import type { LiveRun } from './liveRun.svelte';

export interface RunTarget {
  scope: Scope;
  skillId: string;
  /** One artifact's path; null for the whole skill. */
  artifact: string | null;
}

export const keyOf = ({ scope, skillId, artifact }: RunTarget): string => `${scope}:${skillId}/${artifact ?? ''}`;

interface Ports {
  target: () => RunTarget | null;
  params: () => Params;
}

const PLAN_MS = 150;

/** The plan of a run with the current values, and its estimated cost. */
export class RunPlanning {
  plan = $state.raw<Run.RunPlan | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Without context steps. */
  readonly steps = $derived(this.plan?.steps.filter((step) => !step.context) ?? []);
  /** Steps that can't run, except those that the shown run reports. */
  readonly unavailable = $derived.by(() => {
    // One notice covers all scripts that can't run.
    const unavailable = this.steps.filter((step) => step.unavailable !== null && (step.kind !== 'code_template' || step.fallback !== null));
    const live = this.#live();
    const refused = live?.refused === true && live.failure?.code === 'notInstalled' ? this.steps.find((step) => step.unavailable !== null && step.fallback === null) : undefined;
    return unavailable.filter((step) => step !== refused && !live?.fallbacks.some((one) => one.step.path === step.path));
  });
  readonly estimate = $derived(this.#estimate());
  readonly #client: Client;
  readonly #models: Models;
  readonly #ports: Ports;
  readonly #live: () => LiveRun | null;
  /** Key of the plan's target. */
  #planned = '';
  readonly #latest: Latest;
  readonly #soon = new Debounce(PLAN_MS, () => this.#latest.ask());

  constructor(client: Client, models: Models, ports: Ports, live: () => LiveRun | null) {
    this.#client = client;
    this.#models = models;
    this.#ports = ports;
    this.#live = live;
    this.#latest = new Latest(() => this.#read());
  }

  /** Plans again after the target, its values, its text or the model changed. */
  touch(): void {
    const target = this.#ports.target();
    const key = target ? keyOf(target) : '';
    if (key !== this.#planned) {
      this.#planned = key;
      this.plan = null;
      this.failure = null;
    }
    if (target) this.#soon.touch();
  }

  async #read(): Promise<void> {
    const target = this.#ports.target();
    if (!target) return;
    const key = keyOf(target);
    try {
      const { skillId, scope, artifact } = target;
      const plan = await this.#client.call('run/plan', { skill: skillId, scope, artifact, params: this.#ports.params() });
      if (this.#planned === key) [this.plan, this.failure] = [plan, null];
    } catch (cause) {
      if (this.#planned === key) [this.plan, this.failure] = [null, asFailure(cause)];
    }
  }

  #estimate(): string {
    const plan = this.plan;
    if (!plan?.steps.some((step) => !step.context)) return '';
    if (plan.model === null) return plan.input_tokens === null ? '' : `${formatTokens(plan.input_tokens)} tokens`;
    if (plan.input_tokens === null) return '';
    const price = plan.input_cost ?? (this.#models.isLocal(plan.model) ? 0 : null);
    const cost = price === null || price === 0 ? formatUsd(price) : `from ${formatUsd(price)}`;
    return `${formatTokens(plan.input_tokens)} tokens, ${cost}`;
  }
}
