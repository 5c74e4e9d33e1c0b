import { asFailure, type Client, type ChangeFeed } from '$lib/api';
import { sumOf } from '$lib/domain';
import type { Failure, Limits, Outdated, OutdatedList } from '$lib/api/generated';
import { LiveSearch } from './liveSearch.svelte';

export interface AgainItem {
  artifact: Outdated;
  /** Null while it waits. */
  live: LiveSearch | null;
}

/** Optimizes again, one after the other, what another version of DSPy optimized. */
export class Again {
  list = $state.raw<OutdatedList | null>(null);
  failure = $state.raw<Failure | null>(null);
  reading = $state(false);
  items = $state.raw<AgainItem[]>([]);
  going = $state(false);
  stopping = $state(false);
  /** The most that each may cost, as it is typed; empty as the last time. */
  cost = $state('');
  /** Why what is typed is no cost; empty when it is one, or nothing. */
  readonly problem = $derived(amountOf(this.cost) === null ? 'Enter an amount above 0, such as 0.50, or leave empty.' : '');
  /** Those whose last proposal says how to do it. */
  readonly able = $derived(this.list?.artifacts.filter((one) => one.again) ?? []);
  readonly done = $derived(this.items.filter((one) => one.live?.going === false).length);
  /** Ids of what was proposed. */
  readonly proposed = $derived(this.items.flatMap((one) => (one.live?.outcome?.proposal ? [one.live.outcome.proposal.id] : [])));
  readonly current = $derived(this.items.find((one) => one.live?.going) ?? null);
  /** What all of them used so far. */
  readonly spent = $derived(sumOf(this.items.flatMap((one) => (one.live ? [one.live.spent] : []))));
  readonly fraction = $derived(this.items.length === 0 ? 0 : (this.done + (this.current?.live?.progress?.fraction ?? 0)) / this.items.length);
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #ended: (proposed: readonly string[]) => void;

  constructor(client: Client, feed: ChangeFeed, ended: (proposed: readonly string[]) => void) {
    this.#client = client;
    this.#feed = feed;
    this.#ended = ended;
  }

  async load(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      this.list = await this.#client.call('optimize/outdated', {});
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
    this.reading = false;
  }

  async start(): Promise<void> {
    if (this.going || this.able.length === 0 || this.problem !== '') return;
    const cost = amountOf(this.cost);
    const limits: Limits = cost == null ? {} : { cost };
    this.stopping = false;
    this.going = true;
    this.items = this.able.map((artifact) => ({ artifact, live: null }));
    for (let next = this.#next(); next; next = this.#next()) await this.#one(next, limits);
    this.going = false;
    this.#ended(this.proposed);
  }

  /** Ends the one that goes on; the others aren't begun. */
  async stop(): Promise<void> {
    this.stopping = true;
    const live = this.current?.live;
    if (!live) return;
    live.stopping();
    try {
      await this.#client.call('run/cancel', { run: live.id });
    } catch {
      // It ended by itself meanwhile.
    }
  }

  #next(): Outdated | null {
    return this.stopping ? null : (this.items.find((item) => item.live === null)?.artifact ?? null);
  }

  async #one(artifact: Outdated, limits: Limits): Promise<void> {
    const live = new LiveSearch(crypto.randomUUID());
    this.items = this.items.map((item) => (item.artifact === artifact ? { artifact, live } : item));
    const unsubscribe = this.#feed.onRun(live.id, (event) => live.apply(event));
    try {
      live.finish(await this.#client.call('optimize/again', { run: live.id, skill: artifact.skill, scope: artifact.scope, artifact: artifact.path, limits }));
    } catch (cause) {
      live.refuse(asFailure(cause));
    } finally {
      unsubscribe();
    }
  }
}

/** Undefined when nothing is typed, null when it is no amount. */
function amountOf(typed: string): number | null | undefined {
  const text = typed.trim().replace(/^\$\s*/, '');
  if (text === '') return undefined;
  const amount = Number(text);
  return Number.isFinite(amount) && amount > 0 ? amount : null;
}
