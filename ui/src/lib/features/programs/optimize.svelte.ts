import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, Debounce, type ChangeFeed, Latest } from '$lib/api';
import type { ExampleSource, ExamplesFound, Failure, Metric, OptimizeOutcome, OptimizeParams, Scope } from '$lib/api/generated';
import { LiveSearch } from './liveSearch.svelte';
import { Setup } from './setup.svelte';

/** What is to be optimized. */
export interface Target {
  scope: Scope;
  skillId: string;
  path: string;
}

export interface OptimizePorts {
  target: () => Target | null;
  /** Stores what isn't saved, so that it is what is optimized. False when that failed; the person was told. */
  /** Saves the program, and the file of the skill that its examples are in. */
  save: (target: Target, source: ExampleSource | null) => Promise<boolean>;
  /** Asks the person to trust the workspace. */
  trust: () => Promise<boolean>;
  /** It ended while something else may be in front. */
  ended: (target: Target, outcome: OptimizeOutcome) => void;
}

const LOOK_MS = 300;
const TICK_MS = 500;

const keyOf = ({ scope, skillId, path }: Target): string => `${scope}:${skillId}/${path}`;

/** Optimizes the program in front: from examples to a proposal. */
export class Optimize {
  found = $state.raw<ExamplesFound | null>(null);
  foundFailure = $state.raw<Failure | null>(null);
  looking = $state(false);
  preparing = $state(false);
  now = $state(performance.now());
  readonly #setups = new Map<string, Setup>();
  readonly #lives = new SvelteMap<string, LiveSearch>();
  readonly key = $derived.by(() => {
    const target = this.#ports.target();
    return target && keyOf(target);
  });
  readonly setup = $derived(this.#setupOf(this.key ?? ''));
  readonly live = $derived(this.key === null ? null : (this.#lives.get(this.key) ?? null));
  readonly going = $derived(this.live?.going ?? false);
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #ports: OptimizePorts;
  readonly #latest: Latest;
  readonly #soon = new Debounce(LOOK_MS, () => this.#latest.ask());
  readonly #tick = new Debounce(TICK_MS, () => this.#ticked());

  constructor(client: Client, feed: ChangeFeed, ports: OptimizePorts) {
    this.#client = client;
    this.#feed = feed;
    this.#ports = ports;
    this.#latest = new Latest(() => this.#look());
    feed.on('run', () => {
      if (this.key !== null && this.setup.from === 'traces' && !this.going) this.#soon.touch();
    });
  }

  /** Something else is in front, or another source of examples. */
  follow(): void {
    this.found = null;
    this.foundFailure = null;
    this.touch();
  }

  /** The source of examples, or the program, was changed. */
  touch(): void {
    this.looking = this.#ports.target() !== null && this.setup.source !== null;
    this.#soon.touch();
  }

  async start(): Promise<void> {
    const target = this.#ports.target();
    const { source } = this.setup;
    if (!target || !source || this.going || this.preparing || this.setup.broken) return;
    // Saving takes time: another program may be in front by then, with another setup.
    const given = { source, ...this.setup.wire() };
    this.preparing = true;
    try {
      if (!(await this.#ports.save(target, source))) return;
    } finally {
      this.preparing = false;
    }
    const failure = await this.#execute(target, given);
    if (failure?.code === 'notTrusted' && (await this.#ports.trust())) await this.#execute(target, given);
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

  /** Back to the form. */
  clear(): void {
    if (this.key !== null && !this.going) this.#lives.delete(this.key);
  }

  async #execute(target: Target, given: Omit<OptimizeParams, 'run' | 'skill' | 'scope' | 'artifact'>): Promise<Failure | null> {
    const live = new LiveSearch(crypto.randomUUID());
    this.#lives.set(keyOf(target), live);
    this.#tick.touch();
    const unsubscribe = this.#feed.onRun(live.id, (event) => live.apply(event));
    try {
      const { scope, skillId, path } = target;
      const outcome = await this.#client.call('optimize/start', { run: live.id, skill: skillId, scope, artifact: path, ...given });
      live.finish(outcome);
      this.#ports.ended(target, outcome);
    } catch (cause) {
      live.refuse(asFailure(cause));
    } finally {
      unsubscribe();
    }
    return live.failure;
  }

  #setupOf(key: string): Setup {
    const setup = this.#setups.get(key) ?? new Setup();
    this.#setups.set(key, setup);
    return setup;
  }

  #ticked(): void {
    this.now = performance.now();
    if ([...this.#lives.values()].some((live) => live.going)) this.#tick.touch();
  }

  async #look(): Promise<void> {
    const target = this.#ports.target();
    const { source } = this.setup;
    if (!target || !source) {
      [this.found, this.foundFailure, this.looking] = [null, null, false];
      return;
    }
    const key = keyOf(target);
    const current = (): boolean => this.key === key && JSON.stringify(this.setup.source) === JSON.stringify(source);
    try {
      const found = await this.#client.call('optimize/examples', { skill: target.skillId, scope: target.scope, artifact: target.path, source });
      if (current()) [this.found, this.foundFailure] = [found, null];
    } catch (cause) {
      if (current()) [this.found, this.foundFailure] = [null, asFailure(cause)];
    }
    if (current()) this.looking = false;
  }
}

/** How the core judges when nobody says how. */
export function usualMetric(assertions: boolean, outputs: readonly string[]): Metric {
  return assertions ? { type: 'assertions' } : { type: 'exact', field: outputs[0] ?? '' };
}
