import type { Trace } from '$lib/api/generated';
import type { Studio } from '$lib/app/studio.svelte';

/** The ways into a run, and to the runs that were. */
export class RunsController {
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** Runs what is in front, and shows it. */
  start(whole = this.#studio.running.whole): void {
    this.#studio.running.whole = whole;
    this.#studio.layout.showInspectorTab('run');
    void this.#studio.running.run.start();
  }

  async trustAndRun(): Promise<void> {
    if (await this.#studio.workspace.askTrust('Trust and run')) await this.#studio.running.run.start();
  }

  async trustAndReplay(): Promise<void> {
    if (await this.#studio.workspace.askTrust('Trust and replay')) await this.#studio.runsView.view.retryReplay();
  }

  async setTrust(trusted: boolean): Promise<void> {
    if (trusted) await this.#studio.workspace.askTrust();
    else this.#studio.report('Couldn’t change workspace trust', await this.#studio.workspace.trust(false));
  }

  /** The trust in the workspace was changed: what a refusal said of it may be over. */
  trustChanged(trusted: boolean): void {
    const { running, runsView } = this.#studio;
    if (trusted) {
      running.run.trusted();
      runsView.view.trusted();
    } else running.run.touch();
  }

  show(run?: string): void {
    this.#studio.layout.view = 'runs';
    if (run !== undefined) this.#studio.runsView.show(run);
  }

  showUsage(): void {
    this.#studio.layout.view = 'runs';
    this.#studio.runsView.showUsage();
  }

  /** What a run's skill is called; its slug where it is gone. */
  nameOf(run: Pick<Trace, 'skill_scope' | 'skill_id' | 'skill_slug'>): string {
    return this.#studio.catalog.summary({ scope: run.skill_scope, id: run.skill_id })?.name ?? run.skill_slug;
  }

  /** The artifact that a trace is of, if its skill is still there. */
  openTraced({ skill_scope: scope, skill_id: id, skill_slug: slug, artifact_path: path }: Trace, line?: number): void {
    const key = { scope, id };
    if (this.#studio.catalog.summary(key)) this.#studio.files.open(key, path, line === undefined ? {} : { at: { line, column: 1 } });
    else this.#studio.toasts.show(`Skill ${slug} not found.`, { tone: 'warn' });
  }
}
