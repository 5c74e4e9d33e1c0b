import type { Failure } from '$lib/api/generated';
import { isRecord } from '$lib/domain';

/** A confirmation that a skill’s manifest requires before it runs. */
export interface Gate {
  key: string;
  label: string;
}

/** Resolves with the keys of the gates if the person approves them, otherwise with none. */
export type Approve = (gates: readonly Gate[]) => Promise<readonly string[]>;

/** The gates that a refused run needs. */
export function gatesOf(failure: Failure): Gate[] {
  const gates: unknown = failure.fields?.['gates'];
  if (failure.code !== 'approvalRequired' || !Array.isArray(gates)) return [];
  return gates.flatMap((gate: unknown) => (isRecord(gate) && typeof gate['key'] === 'string' ? [{ key: gate['key'], label: typeof gate['label'] === 'string' ? gate['label'] : gate['key'] }] : []));
}

/** Runs, and if gates refuse that, once more with those that the person approves. Returns the failure of the last attempt. */
export async function withApproval(approve: Approve, run: (approved: readonly string[]) => Promise<Failure | null>): Promise<Failure | null> {
  const failure = await run([]);
  const gates = failure === null ? [] : gatesOf(failure);
  const approved = gates.length === 0 ? [] : await approve(gates);
  return approved.length === 0 ? failure : run(approved);
}

/** Asks the person to approve the gates of runs. */
export class GateApproval {
  /** Those that are asked for; null without a question. */
  gates = $state.raw<readonly Gate[] | null>(null);
  #waiting: ((approved: boolean) => void)[] = [];

  /** Gates of other runs join an open question, so that several runs are approved at once. */
  readonly ask: Approve = async (gates) => {
    const asked = this.gates ?? [];
    this.gates = [...asked, ...gates.filter(({ key, label }) => !asked.some((one) => one.key === key && one.label === label))];
    const approved = await new Promise<boolean>((resolve) => this.#waiting.push(resolve));
    return approved ? gates.map(({ key }) => key) : [];
  };

  approve(): void {
    this.#end(true);
  }

  decline(): void {
    this.#end(false);
  }

  #end(approved: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.gates = null;
    for (const resolve of waiting) resolve(approved);
  }
}
