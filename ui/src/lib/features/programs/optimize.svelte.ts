import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, Debounce, type ChangeFeed, Latest } from '$lib/api';
import type { Failure, Optimize, Scope } from '$lib/api/generated';
import { LiveOptimization } from './liveOptimization.svelte';
import { Setup } from './setup.svelte';

export interface Target {
  scope: Scope;
  skillId: string;
  path: string;
}

export interface OptimizePorts {
  target: () => Target | null;
  /** Saves the program and the file with its examples. False if that failed, after a notification. */
  save: (target: Target, source: Optimize.ExampleSource | null) => Promise<boolean>;
  trust: () => Promise<boolean>;
  /** Called at the end, when another file may be active. */
  ended: (target: Target, outcome: Optimize.OptimizeOutcome) => void;
}

const EXAMPLES_DELAY_MS = 300;
const TICK_MS = 500;

const keyOf = ({ scope, skillId, path }: Target): string => `${scope}:${skillId}/${path}`;

/** The examples that were found in the chosen source. */
class Examples {
  found = $state.raw<Optimize.ExampleSummary | null>(null);
  failure = $state.raw<Failure | null>(null);
  loading = $state(false);
}

/** Optimizes the active module. */
export class OptimizeState {
  readonly examples = new Examples();
  preparing = $state(false);
  now = $state(performance.now());
  readonly #setups = new Map<string, Setup>();
  readonly #lives = new SvelteMap<string, LiveOptimization>();
  readonly key = $derived.by(() => {
    const target = this.#ports.target();
    return target && keyOf(target);
  });
  readonly setup = $derived(this.#setupOf(this.key ?? ''));
  readonly live = $derived(this.key === null ? null : (this.#lives.get(this.key) ?? null));
  readonly running = $derived(this.live?.running ?? false);
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #ports: OptimizePorts;
  readonly #latest: Latest;
  readonly #soon = new Debounce(EXAMPLES_DELAY_MS, () => this.#latest.ask());
  readonly #tick = new Debounce(TICK_MS, () => this.#ticked());

  constructor(client: Client, feed: ChangeFeed, ports: OptimizePorts) {
    this.#client = client;
    this.#feed = feed;
    this.#ports = ports;
    this.#latest = new Latest(() => this.#readExamples());
    feed.on('run', () => {
      if (this.key !== null && this.setup.examples.from === 'traces' && !this.running) this.#soon.touch();
    });
  }

  /** Reads the examples of another module or source. */
  follow(): void {
    this.examples.found = null;
    this.examples.failure = null;
    this.touch();
  }

  /** Reads the examples again after the program or their file changed. */
  touch(): void {
    this.examples.loading = this.#ports.target() !== null && this.setup.examples.source !== null;
    this.#soon.touch();
  }

  async start(): Promise<void> {
    const target = this.#ports.target();
    const { source } = this.setup.examples;
    if (!target || !source || this.running || this.preparing || this.setup.limits.broken) return;
    // While it saves, another program may become active, with another setup.
    const params = { source, ...this.setup.wire() };
    this.preparing = true;
    try {
      if (!(await this.#ports.save(target, source))) return;
    } finally {
      this.preparing = false;
    }
    const failure = await this.#execute(target, params);
    if (failure?.code === 'notTrusted' && (await this.#ports.trust())) await this.#execute(target, params);
  }

  async cancel(live = this.live): Promise<void> {
    if (live?.state !== 'running') return;
    live.markCanceling();
    try {
      await this.#client.call('run/cancel', { run: live.id });
    } catch (cause) {
      // It ended in the meantime; its reply follows.
      if (asFailure(cause).code !== 'notFound') live.resume();
    }
  }

  /** Back to the form. */
  clear(): void {
    if (this.key !== null && !this.running) this.#lives.delete(this.key);
  }

  async #execute(target: Target, params: Omit<Optimize.OptimizeParams, 'run' | 'skill' | 'scope' | 'artifact'>): Promise<Failure | null> {
    const live = new LiveOptimization(crypto.randomUUID());
    this.#lives.set(keyOf(target), live);
    this.#tick.touch();
    const unsubscribe = this.#feed.onRun(live.id, (event) => live.apply(event));
    try {
      const { scope, skillId, path } = target;
      const outcome = await this.#client.call('optimize/start', { run: live.id, skill: skillId, scope, artifact: path, ...params });
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
    if ([...this.#lives.values()].some((live) => live.running)) this.#tick.touch();
  }

  async #readExamples(): Promise<void> {
    const target = this.#ports.target();
    const { source } = this.setup.examples;
    if (!target || !source) {
      [this.examples.found, this.examples.failure, this.examples.loading] = [null, null, false];
      return;
    }
    const key = keyOf(target);
    const current = (): boolean => this.key === key && JSON.stringify(this.setup.examples.source) === JSON.stringify(source);
    try {
      const found = await this.#client.call('optimize/examples', { skill: target.skillId, scope: target.scope, artifact: target.path, source });
      if (current()) [this.examples.found, this.examples.failure] = [found, null];
    } catch (cause) {
      if (current()) [this.examples.found, this.examples.failure] = [null, asFailure(cause)];
    }
    if (current()) this.examples.loading = false;
  }
}

/** As the core chooses it. */
export function defaultMetric(assertions: boolean, outputs: readonly string[]): Optimize.Metric {
  return assertions ? { type: 'assertions' } : { type: 'exact', field: outputs[0] ?? '' };
}
