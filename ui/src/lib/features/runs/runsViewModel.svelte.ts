import type { Client, ChangeFeed } from '$lib/api';
import type { Approve } from '$lib/features/run';
import { Compare, RunExport, Runs, RunView, Usage } from '$lib/features/runs';

/** The Runs view: the list, and the run, comparison or usage beside it. */
export class RunsViewModel {
  readonly runs: Runs;
  readonly view: RunView;
  readonly compare: Compare;
  readonly usage: Usage;
  readonly exporter: RunExport;
  /** Whether two runs are compared; else the selected run is shown, else the usage. */
  comparing = $state(false);
  /** Runs to delete after confirmation. */
  deleting = $state.raw<string[] | null>(null);

  constructor(client: Client, feed: ChangeFeed, approve: Approve) {
    this.runs = new Runs(client, feed);
    this.view = new RunView(client, this.runs, approve);
    this.compare = new Compare(client);
    this.usage = new Usage(client, this.runs);
    this.exporter = new RunExport(client, this.runs);
  }

  show(run: string): void {
    this.comparing = false;
    this.runs.selection.select(run);
  }

  showUsage(): void {
    this.comparing = false;
    this.runs.selection.select(null);
  }

  compareRuns(one: string, other: string): void {
    this.comparing = true;
    void this.compare.show(one, other);
  }

  compareMarked(): void {
    const [one, other] = this.runs.selection.marked;
    if (one !== undefined && other !== undefined) this.compareRuns(one, other);
  }

  reset(): void {
    this.comparing = false;
    this.runs.reset();
    this.usage.reset();
  }
}
