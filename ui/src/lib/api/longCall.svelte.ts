import type { Progress } from '$lib/platform';
import type { Failure, OperationName, OutputOf, ParamsOf } from '$lib/api/generated';
import type { Client } from './client';
import { asFailure } from './failure';
import { CallControl } from './callControl';

/** A call with progress that can be canceled. A later one replaces the one before, whose reply is dropped. */
export class LongCall<Doing extends string> {
  doing = $state.raw<Doing | null>(null);
  isCanceling = $state(false);
  progress = $state.raw<Progress | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly busy = $derived(this.doing !== null);
  /** From 0 to 1; null while unknown. */
  readonly fraction = $derived.by(() => {
    const { done, total } = this.progress ?? { done: 0, total: null };
    return total === null || total === 0 ? null : done / total;
  });
  readonly #client: Client;
  #control: CallControl | null = null;
  #callNumber = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Null if it failed or was replaced. */
  async run<N extends OperationName>(doing: Doing, name: N, params: ParamsOf<N>): Promise<OutputOf<N> | null> {
    const callNumber = (this.#callNumber += 1);
    this.doing = doing;
    this.isCanceling = false;
    this.progress = null;
    this.failure = null;
    const control = (this.#control = new CallControl().onProgress((progress) => {
      if (callNumber === this.#callNumber) this.progress = progress;
    }));
    try {
      const reply = await this.#client.call(name, params, control);
      return callNumber === this.#callNumber ? reply : null;
    } catch (cause) {
      if (callNumber === this.#callNumber) this.failure = asFailure(cause);
      return null;
    } finally {
      if (callNumber === this.#callNumber) this.doing = null;
    }
  }

  /** Keeps what was done before. */
  cancel(): void {
    this.isCanceling = this.busy;
    this.#control?.cancel();
  }

  /** Cancels without waiting for the reply. */
  abandon(): void {
    this.#control?.cancel();
    this.#control = null;
    this.#callNumber += 1;
    this.doing = null;
    this.failure = null;
  }
}
