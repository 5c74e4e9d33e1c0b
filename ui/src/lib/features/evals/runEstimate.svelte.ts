import { asFailure, type Client, Debounce, Latest } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { EvalEstimate, EvalParams } from './types';

const TYPED_MS = 250;

/** What a run would send at least. */
export class RunEstimate {
  /** Of the last parameters that could be estimated. */
  value = $state.raw<EvalEstimate | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  #params: EvalParams | null = null;
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  readonly #soon = new Debounce(TYPED_MS, () => this.#latest.ask());

  constructor(client: Client) {
    this.#client = client;
  }

  /** Null if they aren’t valid. */
  estimate(params: EvalParams | null): void {
    this.#params = params;
    if (params === null) {
      this.#soon.cancel();
      this.busy = false;
      return;
    }
    this.busy = true;
    this.#soon.touch();
  }

  clear(): void {
    this.estimate(null);
    [this.value, this.failure] = [null, null];
  }

  async #read(): Promise<void> {
    const params = this.#params;
    if (params === null) return;
    const isCurrent = (): boolean => this.#params === params;
    try {
      const value = await this.#client.call('eval/estimate', params);
      if (isCurrent()) [this.value, this.failure] = [value, null];
    } catch (cause) {
      if (isCurrent()) [this.value, this.failure] = [null, asFailure(cause)];
    } finally {
      if (isCurrent()) this.busy = false;
    }
  }
}
