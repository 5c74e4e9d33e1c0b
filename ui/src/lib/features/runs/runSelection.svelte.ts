import type { Run } from '$lib/api/generated';

/** The selected run, and the runs that are marked for comparing or deleting. */
export class RunSelection {
  run = $state.raw<string | null>(null);
  /** In the order of marking. */
  marked = $state.raw<string[]>([]);
  readonly index = $derived.by(() => this.#list().findIndex((run) => run.run_id === this.run));
  readonly #list: () => readonly Run.RunSummary[];
  readonly #nearEnd: () => void;

  constructor(list: () => readonly Run.RunSummary[], nearEnd: () => void) {
    this.#list = list;
    this.#nearEnd = nearEnd;
  }

  select(run: string | null): void {
    this.run = run;
  }

  step(by: number): void {
    const list = this.#list();
    const at = this.index < 0 ? (by > 0 ? 0 : list.length - 1) : Math.max(0, Math.min(list.length - 1, this.index + by));
    this.run = list[at]?.run_id ?? null;
    if (at >= list.length - 5) this.#nearEnd();
  }

  /** Marks a run or removes its mark. */
  toggle(run: string): void {
    this.marked = this.marked.includes(run) ? this.marked.filter((one) => one !== run) : [...this.marked, run];
  }

  /** Removes deleted runs. */
  forget(runs: readonly string[]): void {
    this.marked = this.marked.filter((one) => !runs.includes(one));
    if (this.run !== null && runs.includes(this.run)) this.run = null;
  }

  clear(): void {
    [this.run, this.marked] = [null, []];
  }
}
