import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, Debounce, type ChangeFeed, Latest, missingOf, type Models } from '$lib/api';
import { formatTokens, formatUsd } from '$lib/domain';
import type { Failure, Limits, Params, RunPlan, Scope } from '$lib/api/generated';
import { LiveRun } from './liveRun.svelte';

/** What would run. */
export interface RunTarget {
  scope: Scope;
  skillId: string;
  /** One artifact's path; null for the whole skill. */
  artifact: string | null;
}

export interface RunPorts {
  target: () => RunTarget | null;
  /** Waits for the values of the target. */
  ready: () => Promise<void>;
  params: () => Params;
  limits: () => Limits;
  /** Fields, also of limits, whose text can't be read as a value. */
  broken: () => string[];
  /** Stores what isn't saved, so that it is what runs. False when that failed; the person was told. */
  save: (target: RunTarget) => Promise<boolean>;
  /** Asks the person to trust the workspace. */
  trust: () => Promise<boolean>;
}

/** What a run is given beside its target. */
interface Given {
  params: Params;
  limits: Limits;
}

const PLAN_MS = 150;
const TICK_MS = 100;
/** Runs that are kept to be looked at when the person comes back to their file. */
const KEPT = 30;

const keyOf = ({ scope, skillId, artifact }: RunTarget): string => `${scope}:${skillId}/${artifact ?? ''}`;

/** Runs what is in front: says what it would cost, starts it, shows it while it goes on, stops it. */
export class Run {
  plan = $state.raw<RunPlan | null>(null);
  planFailure = $state.raw<Failure | null>(null);
  /** Between the press of the button and the start. */
  preparing = $state(false);
  now = $state(performance.now());
  /** A field to go to. */
  wanted = $state.raw<{ name: string } | null>(null);
  readonly #lives = new SvelteMap<string, LiveRun>();
  readonly live = $derived.by(() => {
    const target = this.#ports.target();
    return target ? (this.#lives.get(keyOf(target)) ?? null) : null;
  });
  readonly going = $derived(this.live?.going ?? false);
  /** What the plan runs, without what only goes along. */
  readonly steps = $derived(this.plan?.steps.filter((step) => !step.context) ?? []);
  /** Steps that can't run, without those of which the run below says so: said twice, the later one would push the other away. */
  readonly lacking = $derived.by(() => {
    // Why no script runs is said once, for all of them.
    const lacking = this.steps.filter((step) => step.unavailable !== null && (step.kind !== 'code_template' || step.fallback !== null));
    const { live } = this;
    const refused = live?.refused === true && live.failure?.code === 'notInstalled' ? this.steps.find((step) => step.unavailable !== null && step.fallback === null) : undefined;
    return lacking.filter((step) => step !== refused && !live?.standIns.some((one) => one.step.path === step.path));
  });
  readonly estimate = $derived(this.#estimate());
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #models: Models;
  readonly #ports: RunPorts;
  #planned = '';
  readonly #latest: Latest;
  readonly #soon = new Debounce(PLAN_MS, () => this.#latest.ask());
  readonly #tick = new Debounce(TICK_MS, () => this.#ticked());

  constructor(client: Client, feed: ChangeFeed, models: Models, ports: RunPorts) {
    this.#client = client;
    this.#feed = feed;
    this.#models = models;
    this.#ports = ports;
    this.#latest = new Latest(() => this.#readPlan());
  }

  /** The target, its values, its text or the model changed. */
  touch(): void {
    const target = this.#ports.target();
    const key = target ? keyOf(target) : '';
    if (key !== this.#planned) {
      this.#planned = key;
      this.plan = null;
      this.planFailure = null;
    }
    if (target) this.#soon.touch();
  }

  async start(): Promise<void> {
    const target = this.#ports.target();
    if (!target || this.going || this.preparing) return;
    this.preparing = true;
    let given: Given;
    try {
      await this.#ports.ready();
      const now = this.#ports.target();
      if (!now || keyOf(now) !== keyOf(target)) return;
      const [broken] = this.#ports.broken();
      if (broken !== undefined) {
        this.wanted = { name: broken };
        return;
      }
      // What is asked meanwhile takes time: another file may be in front by then, with other values.
      given = { params: this.#ports.params(), limits: this.#ports.limits() };
      const needsTrust = this.plan?.needs_trust === true;
      if (!(await this.#ports.save(target))) return;
      if (needsTrust && !(await this.#ports.trust())) return;
    } finally {
      this.preparing = false;
    }
    const failure = await this.#execute(target, given);
    // The plan may have been read before the skill was looked at in this workspace.
    if (failure?.code === 'notTrusted' && (await this.#ports.trust())) await this.#execute(target, given);
  }

  /** The workspace is trusted now: refusals that said it isn't are gone. */
  trusted(): void {
    for (const [key, live] of this.#lives) if (live.refused && live.failure?.code === 'notTrusted') this.#lives.delete(key);
    this.touch();
  }

  async stop(live = this.live): Promise<void> {
    if (live?.state !== 'going') return;
    live.stopping();
    try {
      await this.#client.call('run/cancel', { run: live.id });
    } catch (cause) {
      // It ended by itself meanwhile; its answer is on the way.
      if (asFailure(cause).code !== 'notFound') live.goesOn();
    }
  }

  async #execute(target: RunTarget, given: Given): Promise<Failure | null> {
    const live = new LiveRun(crypto.randomUUID());
    this.#keep(keyOf(target), live);
    this.#tick.touch();
    const unsubscribe = this.#feed.onRun(live.id, (event) => live.apply(event));
    try {
      const { skillId, scope, artifact } = target;
      live.finish(await this.#client.call('run/start', { run: live.id, skill: skillId, scope, artifact, ...given }));
      return live.failure;
    } catch (cause) {
      const failure = asFailure(cause);
      live.refuse(failure);
      this.#pointAt(failure);
      return failure;
    } finally {
      unsubscribe();
    }
  }

  #pointAt(failure: Failure): void {
    const name = missingOf(failure)[0]?.variable ?? failure.fields?.['parameter'];
    if (typeof name === 'string') this.wanted = { name };
  }

  #keep(key: string, live: LiveRun): void {
    this.#lives.delete(key);
    this.#lives.set(key, live);
    for (const [old, one] of this.#lives) if (this.#lives.size > KEPT && !one.going) this.#lives.delete(old);
  }

  #ticked(): void {
    this.now = performance.now();
    if ([...this.#lives.values()].some((live) => live.going)) this.#tick.touch();
  }

  async #readPlan(): Promise<void> {
    const target = this.#ports.target();
    if (!target) return;
    const key = keyOf(target);
    try {
      const { skillId, scope, artifact } = target;
      const plan = await this.#client.call('run/plan', { skill: skillId, scope, artifact, params: this.#ports.params() });
      if (this.#planned === key) [this.plan, this.planFailure] = [plan, null];
    } catch (cause) {
      if (this.#planned === key) [this.plan, this.planFailure] = [null, asFailure(cause)];
    }
  }

  /** What the button says of the cost before it is spent. */
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
