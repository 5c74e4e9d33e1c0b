import { type ChangeFeed, type Client, Debounce } from '$lib/api';
import type { DocumentKey } from '$lib/features/editor';
import type { PlanForm } from '$lib/features/inspector';
import { type Approve, cancel, execute, withApproval } from '$lib/features/run';
import type { Failure, Params } from '$lib/api/generated';
import { type Column, wireSpec } from './column.svelte';
import type { ColumnList } from './columnList.svelte';

export interface RunPorts {
  client: Client;
  feed: ChangeFeed;
  /** Saves unsaved text of the paths, since runs use stored files. False if that failed, after a notification. */
  save: (target: DocumentKey, paths: readonly string[]) => Promise<boolean>;
  trust: () => Promise<boolean>;
  approve: Approve;
}

const TICK_MS = 100;

/** Starts and cancels the runs of columns. */
export class ColumnRuns {
  /** Whether runs are about to start. */
  preparing = $state(false);
  now = $state(performance.now());
  fieldToFocus = $state.raw<{ name: string } | null>(null);
  /** Names of the required inputs that a refused run lacked, until they are filled in. */
  readonly missing = $derived.by<readonly string[]>(() => (this.#wasRefused ? this.#planForm.form.fields.blank : []));
  #wasRefused = $state(false);
  readonly #target: DocumentKey;
  readonly #columns: ColumnList;
  readonly #planForm: PlanForm;
  readonly #ports: RunPorts;
  readonly #tick = new Debounce(TICK_MS, () => this.#ticked());

  constructor(target: DocumentKey, columns: ColumnList, planForm: PlanForm, ports: RunPorts) {
    this.#target = target;
    this.#columns = columns;
    this.#planForm = planForm;
    this.#ports = ports;
  }

  /** Runs columns with the current inputs, by default all that aren't running. Resolves when they have ended. */
  async start(columns: readonly Column[] = this.#columns.idle): Promise<void> {
    const idle = columns.filter((column) => !column.running);
    if (this.preparing || idle.length === 0) return;
    this.preparing = true;
    let params: Params;
    try {
      await this.#planForm.form.ready;
      const { fields } = this.#planForm.form;
      const [wrong] = [...fields.broken, ...fields.blank];
      this.#wasRefused = wrong !== undefined;
      if (wrong !== undefined) {
        this.fieldToFocus = { name: wrong };
        return;
      }
      // Saving and asking take time, in which inputs may change.
      params = fields.params();
      const paths = [...new Set(idle.map((column) => column.spec.artifact))];
      if (!(await this.#ports.save(this.#target, paths))) return;
      if (idle.some((column) => column.plan?.needs_trust === true) && !(await this.#ports.trust())) return;
    } finally {
      this.preparing = false;
    }
    await Promise.all(idle.map((column) => withApproval(this.#ports.approve, (approved) => this.#execute(column, params, approved))));
  }

  async cancel(columns: readonly Column[] = this.#columns.list): Promise<void> {
    await Promise.all(columns.flatMap(({ live }) => (live ? [cancel(this.#ports.client, live)] : [])));
  }

  async #execute(column: Column, params: Params, approved: readonly string[]): Promise<Failure | null> {
    const { client, feed } = this.#ports;
    const call = { ...wireSpec(this.#target, column.spec), params, ...(approved.length > 0 && { approve: [...approved] }) };
    const live = column.begin(params);
    this.#tick.touch();
    const failure = await execute(client, feed, live, call);
    this.#columns.store();
    return failure;
  }

  #ticked(): void {
    this.now = performance.now();
    if (this.#columns.running) this.#tick.touch();
  }
}
