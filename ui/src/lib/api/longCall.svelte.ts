import type { Progress } from '$lib/platform';
import type { Failure, OperationName, OutputOf, ParamsOf } from '$lib/api/generated';
import type { Client } from './client';
import { asFailure } from './failure';
import { Watch } from './watch';

/** A call that tells how far it is and can be stopped, one at a time: a later one takes the place of the one before. */
export class LongCall<Doing extends string> {
  /** What is under way. */
  doing = $state.raw<Doing | null>(null);
  stopping = $state(false);
  progress = $state.raw<Progress | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly busy = $derived(this.doing !== null);
  /** From 0 to 1; null while nobody knows. */
  readonly fraction = $derived.by(() => {
    const { done, total } = this.progress ?? { done: 0, total: null };
    return total === null || total === 0 ? null : done / total;
  });
  readonly #client: Client;
  #watch: Watch | null = null;
  #asked = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The reply; null when it failed, or when something else was asked for meanwhile. */
  async run<N extends OperationName>(doing: Doing, name: N, params: ParamsOf<N>): Promise<OutputOf<N> | null> {
    const asked = (this.#asked += 1);
    this.doing = doing;
    this.stopping = false;
    this.progress = null;
    this.failure = null;
    const watch = (this.#watch = new Watch().hear((progress) => {
      if (asked === this.#asked) this.progress = progress;
    }));
    try {
      const reply = await this.#client.call(name, params, watch);
      return asked === this.#asked ? reply : null;
    } catch (cause) {
      if (asked === this.#asked) this.failure = asFailure(cause);
      return null;
    } finally {
      if (asked === this.#asked) this.doing = null;
    }
  }

  /** What is done by then stays. */
  stop(): void {
    this.stopping = this.busy;
    this.#watch?.stop();
  }

  /** Stops it, and doesn't wait for what it says. */
  drop(): void {
    this.#watch?.stop();
    this.#watch = null;
    this.#asked += 1;
    this.doing = null;
    this.failure = null;
  }
}
