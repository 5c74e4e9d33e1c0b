import type { Trace } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'files' | 'layout' | 'notifications' | 'runView' | 'runsView' | 'toasts' | 'workspace'>;

/** The ways into a run, and to the runs that were. */
export class RunsController {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Runs what is in front, and shows it. */
  start(whole = this.#services.runView.whole): void {
    this.#services.runView.whole = whole;
    this.#services.layout.showInspectorTab('run');
    void this.#services.runView.run.start();
  }

  async trustAndRun(): Promise<void> {
    if (await this.#services.workspace.askTrust('Trust and run')) await this.#services.runView.run.start();
  }

  async trustAndReplay(): Promise<void> {
    if (await this.#services.workspace.askTrust('Trust and replay')) await this.#services.runsView.view.retryReplay();
  }

  async setTrust(trusted: boolean): Promise<void> {
    if (trusted) await this.#services.workspace.askTrust();
    else this.#services.notifications.reportFailure('Couldn’t change workspace trust', await this.#services.workspace.trust(false));
  }

  /** The trust in the workspace was changed: what a refusal said of it may be over. */
  trustChanged(trusted: boolean): void {
    const { runView, runsView } = this.#services;
    if (trusted) {
      runView.run.trusted();
      runsView.view.trusted();
    } else runView.run.touch();
  }

  show(run?: string): void {
    this.#services.layout.view = 'runs';
    if (run !== undefined) this.#services.runsView.show(run);
  }

  showUsage(): void {
    this.#services.layout.view = 'runs';
    this.#services.runsView.showUsage();
  }

  /** What a run's skill is called; its slug where it is gone. */
  nameOf(run: Pick<Trace, 'skill_scope' | 'skill_id' | 'skill_slug'>): string {
    return this.#services.catalog.summary({ scope: run.skill_scope, id: run.skill_id })?.name ?? run.skill_slug;
  }

  /** The artifact that a trace is of, if its skill is still there. */
  openTraced({ skill_scope: scope, skill_id: id, skill_slug: slug, artifact_path: path }: Trace, line?: number): void {
    const key = { scope, id };
    if (this.#services.catalog.summary(key)) this.#services.files.open(key, path, line === undefined ? {} : { at: { line, column: 1 } });
    else this.#services.toasts.show(`Skill ${slug} not found.`, { tone: 'warn' });
  }
}
