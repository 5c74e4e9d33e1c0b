import type { Failure } from '$lib/api/generated';
import { isRecord } from '$lib/domain';

/** A confirmation that a skill’s manifest requires before it runs. */
export interface Gate {
  key: string;
  label: string;
}

/** The gates that a refused run needs. */
export function gatesOf(failure: Failure): Gate[] {
  const gates: unknown = failure.fields?.['gates'];
  if (failure.code !== 'approvalRequired' || !Array.isArray(gates)) return [];
  return gates.flatMap((gate: unknown) => (isRecord(gate) && typeof gate['key'] === 'string' ? [{ key: gate['key'], label: typeof gate['label'] === 'string' ? gate['label'] : gate['key'] }] : []));
}

/** Asks the person to approve the gates of a run. */
export class GateApproval {
  /** Those that are asked for; null without a question. */
  gates = $state.raw<readonly Gate[] | null>(null);
  #answer: ((keys: readonly string[]) => void) | null = null;

  /** Resolves with the keys of the approved gates; with none if they were declined. */
  ask(gates: readonly Gate[]): Promise<readonly string[]> {
    this.decline();
    this.gates = gates;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  approve(): void {
    this.#end((this.gates ?? []).map(({ key }) => key));
  }

  decline(): void {
    this.#end([]);
  }

  #end(keys: readonly string[]): void {
    this.gates = null;
    this.#answer?.(keys);
    this.#answer = null;
  }
}
