import { asFailure, type Client } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { RunComparison } from './types';

/** The comparison of the shown run with another one. */
export class RunDifference {
  /** The earlier run; null while nothing is compared. */
  baseline = $state.raw<string | null>(null);
  candidate = $state.raw<string | null>(null);
  value = $state.raw<RunComparison | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async show(baseline: string, candidate: string): Promise<void> {
    [this.baseline, this.candidate] = [baseline, candidate];
    [this.value, this.failure] = [null, null];
    try {
      const value = await this.#client.call('eval/compare', { baseline, candidate });
      if (this.#isShown(baseline, candidate)) this.value = value;
    } catch (cause) {
      if (this.#isShown(baseline, candidate)) this.failure = asFailure(cause);
    }
  }

  close(): void {
    [this.baseline, this.candidate, this.value, this.failure] = [null, null, null, null];
  }

  #isShown(baseline: string, candidate: string): boolean {
    return this.baseline === baseline && this.candidate === candidate;
  }
}
