import { asFailure, type Client } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import { comparedReport } from './comparedReport';
import type { EvalReport, EvalRun, RunComparison } from './types';

type ComparedRun = Pick<EvalRun, 'id' | 'created_at'>;

/** The comparison of the shown run with another one. */
export class RunDifference {
  /** The earlier run; null while nothing is compared. */
  baseline = $state.raw<string | null>(null);
  candidate = $state.raw<string | null>(null);
  value = $state.raw<RunComparison | null>(null);
  /** Both runs side by side. */
  report = $state.raw<EvalReport | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #changed: () => void;

  /** `changed`: other runs are compared, or none. */
  constructor(client: Client, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
  }

  /** Compares two runs, of which the older one is the baseline. */
  async compare(one: ComparedRun, other: ComparedRun): Promise<void> {
    await (other.created_at < one.created_at ? this.#show(other.id, one.id) : this.#show(one.id, other.id));
  }

  close(): void {
    [this.baseline, this.candidate, this.value, this.report, this.failure] = [null, null, null, null, null];
    this.#changed();
  }

  async #show(baseline: string, candidate: string): Promise<void> {
    this.close();
    [this.baseline, this.candidate] = [baseline, candidate];
    try {
      const [value, earlier, later] = await Promise.all([
        this.#client.call('eval/compare', { baseline, candidate }),
        this.#client.call('eval/get', { run: baseline }),
        this.#client.call('eval/get', { run: candidate }),
      ]);
      if (this.#isShown(baseline, candidate)) [this.value, this.report] = [value, comparedReport(earlier, later, value)];
    } catch (cause) {
      if (this.#isShown(baseline, candidate)) this.failure = asFailure(cause);
    }
  }

  #isShown(baseline: string, candidate: string): boolean {
    return this.baseline === baseline && this.candidate === candidate;
  }
}
