import { SvelteMap } from 'svelte/reactivity';
import { type Client, Debounce, type ChangeFeed, missingOf, type Models } from '$lib/api';
import type { Failure, Limits, Params } from '$lib/api/generated';
import { type Approve, withApproval } from './gateApproval.svelte';
import { cancel, execute, LiveRun } from './liveRun.svelte';
import { keyOf, RunPlanning, type RunTarget } from './runPlanning.svelte';

export type { RunTarget } from './runPlanning.svelte';

export interface RunPorts {
  target: () => RunTarget | null;
  /** Resolves once the target's inputs are loaded. */
  ready: () => Promise<void>;
  params: () => Params;
  limits: () => Limits;
  /** Names of fields with invalid text, including those of limits. */
  invalidFields: () => string[];
  /** Saves unsaved text, since runs use stored files. False if that failed, after a notification. */
  save: (target: RunTarget) => Promise<boolean>;
  trust: () => Promise<boolean>;
  approve: Approve;
}

interface RunValues {
  params: Params;
  limits: Limits;
}

const TICK_MS = 100;
/** Ended runs are shown again when their file is active. */
const MAX_RUNS = 30;

/** Runs the active artifact or skill. */
export class RunState {
  readonly planning: RunPlanning;
  /** Whether a run is about to start. */
  preparing = $state(false);
  now = $state(performance.now());
  fieldToFocus = $state.raw<{ name: string } | null>(null);
  readonly #lives = new SvelteMap<string, LiveRun>();
  readonly live = $derived.by(() => {
    const target = this.#ports.target();
    return target ? (this.#lives.get(keyOf(target)) ?? null) : null;
  });
  readonly running = $derived(this.live?.running ?? false);
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #ports: RunPorts;
  readonly #tick = new Debounce(TICK_MS, () => this.#ticked());

  constructor(client: Client, feed: ChangeFeed, models: Models, ports: RunPorts) {
    this.#client = client;
    this.#feed = feed;
    this.#ports = ports;
    this.planning = new RunPlanning(client, models, ports, () => this.live);
  }

  async start(): Promise<void> {
    const target = this.#ports.target();
    if (!target || this.running || this.preparing) return;
    this.preparing = true;
    let values: RunValues;
    try {
      await this.#ports.ready();
      const now = this.#ports.target();
      if (!now || keyOf(now) !== keyOf(target)) return;
      const [invalid] = this.#ports.invalidFields();
      if (invalid !== undefined) {
        this.fieldToFocus = { name: invalid };
        return;
      }
      // Saving and asking take time, in which another file may become active.
      values = { params: this.#ports.params(), limits: this.#ports.limits() };
      const needsTrust = this.planning.plan?.needs_trust === true;
      if (!(await this.#ports.save(target))) return;
      if (needsTrust && !(await this.#ports.trust())) return;
    } finally {
      this.preparing = false;
    }
    const run = (): Promise<Failure | null> => withApproval(this.#ports.approve, (approved) => this.#execute(target, values, approved));
    // The plan may be outdated.
    if ((await run())?.code === 'notTrusted' && (await this.#ports.trust())) await run();
  }

  /** Clears refusals for lack of trust, once the workspace is trusted. */
  trusted(): void {
    for (const [key, live] of this.#lives) if (live.refused && live.failure?.code === 'notTrusted') this.#lives.delete(key);
    this.planning.touch();
  }

  async cancel(live = this.live): Promise<void> {
    if (live) await cancel(this.#client, live);
  }

  async #execute(target: RunTarget, values: RunValues, approved: readonly string[]): Promise<Failure | null> {
    const live = new LiveRun(crypto.randomUUID());
    this.#keep(keyOf(target), live);
    this.#tick.touch();
    const { skillId, scope, artifact } = target;
    const failure = await execute(this.#client, this.#feed, live, { skill: skillId, scope, artifact, ...values, ...(approved.length > 0 && { approve: [...approved] }) });
    if (live.refused && failure) this.#focusFieldOf(failure);
    return failure;
  }

  #focusFieldOf(failure: Failure): void {
    const name = missingOf(failure)[0]?.variable ?? failure.fields?.['parameter'];
    if (typeof name === 'string') this.fieldToFocus = { name };
  }

  #keep(key: string, live: LiveRun): void {
    this.#lives.delete(key);
    this.#lives.set(key, live);
    for (const [old, one] of this.#lives) if (this.#lives.size > MAX_RUNS && !one.running) this.#lives.delete(old);
  }

  #ticked(): void {
    this.now = performance.now();
    if ([...this.#lives.values()].some((live) => live.running)) this.#tick.touch();
  }
}
