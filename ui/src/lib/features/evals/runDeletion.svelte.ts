import { asFailure, type Client } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { EvalRun } from './types';

/** Deletes an eval run, once that is confirmed. */
export class RunDeletion {
  /** The run to delete; null while nothing is asked. */
  run = $state.raw<EvalRun | null>(null);
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #deleted: (run: string) => void;

  constructor(client: Client, deleted: (run: string) => void) {
    this.#client = client;
    this.#deleted = deleted;
  }

  /** Asks for confirmation; a run in progress must be canceled first. */
  ask(run: EvalRun): void {
    if (run.status === 'running') return;
    [this.run, this.failure] = [run, null];
  }

  close(): void {
    this.run = null;
  }

  async confirm(): Promise<void> {
    const { run } = this;
    if (run === null || this.busy) return;
    this.busy = true;
    try {
      const { deleted } = await this.#client.call('eval/delete', { runs: [run.id] });
      if (deleted === 0) {
        this.failure = asFailure(new Error('the run is in progress, or was deleted already'));
        return;
      }
      this.close();
      this.#deleted(run.id);
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}
