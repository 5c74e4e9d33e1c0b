import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client } from '$lib/api';
import type { Failure, RecordedDecision, RunGate } from '$lib/api/generated';

const idOf = (run: string, gate: string): string => `${run} ${gate}`;

/** Records decisions on the output of runs. Each is shown wherever its run is, also where the run was read before. */
export class GateDecisions {
  busy = $state(false);
  /** Why the last decision wasn't recorded. */
  failure = $state.raw<{ run: string; failure: Failure } | null>(null);
  readonly #decided = new SvelteMap<string, RecordedDecision>();
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The gates of a run with the decisions since it was read. */
  of(run: string, gates: readonly RunGate[]): RunGate[] {
    return gates.map((gate) => ({ ...gate, decision: gate.decision ?? this.#decided.get(idOf(run, gate.key)) ?? null }));
  }

  /** "Waiting for your approval", "Approved" or "Rejected"; empty without gates. */
  statusOf(run: string, gates: readonly RunGate[]): string {
    const decisions = this.of(run, gates).map(({ decision }) => decision);
    if (decisions.length === 0) return '';
    if (decisions.includes(null)) return 'Waiting for your approval';
    return decisions.every((decision) => decision?.approved) ? 'Approved' : 'Rejected';
  }

  async decide(run: string, gate: string, approved: boolean, reason = ''): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.failure = null;
    try {
      await this.#decide(run, gate, approved, reason.trim() || null);
    } catch (cause) {
      this.failure = { run, failure: asFailure(cause) };
    } finally {
      this.busy = false;
    }
  }

  async #decide(run: string, gate: string, approved: boolean, reason: string | null): Promise<void> {
    try {
      this.#record(run, (await this.#client.call('run/decide', { run, gate, approved, reason })).gates);
    } catch (cause) {
      // Another window or program decided first.
      if (asFailure(cause).code !== 'exists') throw cause;
      this.#record(run, (await this.#client.call('run/get', { run })).gates);
    }
  }

  #record(run: string, gates: readonly RunGate[]): void {
    for (const { key, decision } of gates) if (decision) this.#decided.set(idOf(run, key), decision);
  }
}

/** Why a gate asks; empty for one that asks after every run. */
export const reasonToAsk = ({ when }: RunGate): string => (when === 'low_confidence' ? 'An assertion warned' : '');

/** The reason that was given; empty without one, for which the core stores the label of the gate. */
export const reasonOf = ({ label, decision }: RunGate): string => (decision?.reason == null || decision.reason === label ? '' : decision.reason);
