import { asFailure, type Client, type ChangeFeed } from '$lib/api';
import { sumOf } from '$lib/domain';
import type { Failure, Limits, Optimize } from '$lib/api/generated';
import { LiveOptimization } from './liveOptimization.svelte';

/** Programs that another version of DSPy compiled. */
class OutdatedPrograms {
  list = $state.raw<Optimize.OutdatedList | null>(null);
  failure = $state.raw<Failure | null>(null);
  loading = $state(false);
  /** Those whose examples and settings are stored. */
  readonly reoptimizable = $derived(this.list?.artifacts.filter((one) => one.again) ?? []);
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async load(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    try {
      this.list = await this.#client.call('optimize/outdated', {});
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
    this.loading = false;
  }
}

class CostLimit {
  /** As typed; empty for the limit of the last optimization. */
  text = $state('');
  /** Undefined if nothing is typed, null if it isn't an amount. */
  readonly cost = $derived(amountOf(this.text));
  readonly problem = $derived(this.cost === null ? 'Enter an amount above 0, such as 0.50, or leave empty.' : '');
}

export interface ReoptimizationItem {
  artifact: Optimize.OutdatedArtifact;
  /** Null while it waits. */
  live: LiveOptimization | null;
}

/** Re-optimizes outdated programs one after the other. */
export class Reoptimization {
  readonly outdated: OutdatedPrograms;
  /** The limit of each program. */
  readonly limit = new CostLimit();
  items = $state.raw<ReoptimizationItem[]>([]);
  running = $state(false);
  isCanceling = $state(false);
  readonly done = $derived(this.items.filter((one) => one.live?.running === false).length);
  /** Ids of the proposals. */
  readonly proposed = $derived(this.items.flatMap((one) => (one.live?.outcome?.proposal ? [one.live.outcome.proposal.id] : [])));
  readonly current = $derived(this.items.find((one) => one.live?.running) ?? null);
  readonly usage = $derived(sumOf(this.items.flatMap((one) => (one.live ? [one.live.usage] : []))));
  readonly fraction = $derived(this.items.length === 0 ? 0 : (this.done + (this.current?.live?.progress?.fraction ?? 0)) / this.items.length);
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #ended: (proposed: readonly string[]) => void;

  constructor(client: Client, feed: ChangeFeed, ended: (proposed: readonly string[]) => void) {
    this.#client = client;
    this.outdated = new OutdatedPrograms(client);
    this.#feed = feed;
    this.#ended = ended;
  }

  async start(): Promise<void> {
    if (this.running || this.outdated.reoptimizable.length === 0 || this.limit.problem !== '') return;
    const { cost } = this.limit;
    const limits: Limits = cost == null ? {} : { cost };
    this.isCanceling = false;
    this.running = true;
    this.items = this.outdated.reoptimizable.map((artifact) => ({ artifact, live: null }));
    for (let next = this.#next(); next; next = this.#next()) await this.#optimize(next, limits);
    this.running = false;
    this.#ended(this.proposed);
  }

  /** Cancels the running optimization; the remaining ones don't start. */
  async cancel(): Promise<void> {
    this.isCanceling = true;
    const live = this.current?.live;
    if (!live) return;
    live.markCanceling();
    try {
      await this.#client.call('run/cancel', { run: live.id });
    } catch {
      // It ended in the meantime.
    }
  }

  #next(): Optimize.OutdatedArtifact | null {
    return this.isCanceling ? null : (this.items.find((item) => item.live === null)?.artifact ?? null);
  }

  async #optimize(artifact: Optimize.OutdatedArtifact, limits: Limits): Promise<void> {
    const live = new LiveOptimization(crypto.randomUUID());
    this.items = this.items.map((item) => (item.artifact === artifact ? { artifact, live } : item));
    const unsubscribe = this.#feed.onRun(live.id, (event) => live.apply(event));
    try {
      live.finish(await this.#client.call('optimize/repeat', { run: live.id, skill: artifact.skill, scope: artifact.scope, artifact: artifact.path, limits }));
    } catch (cause) {
      live.refuse(asFailure(cause));
    } finally {
      unsubscribe();
    }
  }
}

/** Undefined if nothing is typed, null if it isn't an amount. */
function amountOf(typed: string): number | null | undefined {
  const text = typed.trim().replace(/^\$\s*/, '');
  if (text === '') return undefined;
  const amount = Number(text);
  return Number.isFinite(amount) && amount > 0 ? amount : null;
}
