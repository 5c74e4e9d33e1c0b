import type { DocumentKey } from '$lib/features/editor';
import { LiveRun, outcomeOf } from '$lib/features/run';
import type { Failure, Params, Run } from '$lib/api/generated';
import type { ColumnSpec, StoredColumn } from './columns';

/** The parameters of a run or a plan, without inputs. */
export const wireSpec = ({ skillId: skill, scope }: DocumentKey, { artifact, model, revision }: ColumnSpec) => ({
  skill, scope, artifact, ...(model === null ? {} : { model }), ...(revision === null ? {} : { revision }),
});

let count = 0;

/** A column: what it runs, what that would cost, and its last run. */
export class Column {
  readonly id = `column-${++count}`;
  spec = $state.raw<ColumnSpec>({ artifact: '', model: null, revision: null });
  plan = $state.raw<Run.RunPlan | null>(null);
  failure = $state.raw<Failure | null>(null);
  live = $state.raw<LiveRun | null>(null);
  /** What the shown run was started with, which may differ from the current choice. */
  ran = $state.raw<ColumnSpec | null>(null);
  /** The inputs of the shown run. */
  params: Params = {};
  /** The run to show again, until it is read. */
  #stored: string | null;
  readonly running = $derived(this.live?.running ?? false);
  /** Whether it has text to compare or keep. */
  readonly hasOutput = $derived(!this.running && (this.live?.text ?? '') !== '');

  constructor(spec: ColumnSpec, run: string | null = null) {
    this.spec = spec;
    this.#stored = run;
  }

  /** What is stored: the run only if it is of the current choice. */
  get stored(): StoredColumn {
    const run = this.live?.status === 'ok' && this.ran === this.spec ? (this.live.outcome?.run ?? null) : null;
    return { ...this.spec, run: this.live === null ? this.#stored : run };
  }

  /** Shows the stored run. */
  async restore(read: (run: string) => Promise<Run.RunDetail>): Promise<void> {
    const [run, spec] = [this.#stored, this.spec];
    this.#stored = null;
    if (run === null) return;
    const detail = await read(run);
    if (this.live !== null || this.spec !== spec) return;
    const live = new LiveRun(crypto.randomUUID());
    live.finish(outcomeOf(detail));
    this.live = live;
    this.ran = spec;
    this.params = detail.executions.findLast((trace) => trace.params !== null)?.params ?? {};
  }

  begin(params: Params): LiveRun {
    this.live = new LiveRun(crypto.randomUUID());
    this.ran = this.spec;
    this.params = params;
    return this.live;
  }
}

/** Whether a column must ask a model and none is set up. */
export const lacksModel = ({ plan }: Column): boolean =>
  plan?.model === null && plan.steps.some((step) => !step.context && step.kind !== 'code_template');
