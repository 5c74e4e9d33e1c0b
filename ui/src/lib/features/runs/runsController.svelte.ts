import { untrack } from 'svelte';
import type { Trace } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'files' | 'layout' | 'notifications' | 'runView' | 'runsView' | 'toasts' | 'workspace'>;

export class RunsController {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  start(whole = this.#services.runView.whole): void {
    this.#services.runView.whole = whole;
    this.#services.layout.inspector.show('run');
    void this.#services.runView.run.start();
  }

  async trustAndRun(): Promise<void> {
    if (await this.#services.workspace.trust.ask('Trust and run')) await this.#services.runView.run.start();
  }

  async trustAndReplay(): Promise<void> {
    if (await this.#services.workspace.trust.ask('Trust and replay')) await this.#services.runsView.view.replay.retry();
  }

  async setTrust(trusted: boolean): Promise<void> {
    if (trusted) await this.#services.workspace.trust.ask();
    else this.#services.notifications.reportFailure('Couldn’t change workspace trust', await this.#services.workspace.trust.set(false));
  }

  /** Follows changes of the workspace's trust, also by other windows, until the returned function is called. */
  followTrust(): () => void {
    return $effect.root(() => {
      $effect(() => {
        const trusted = this.#services.workspace.current?.trusted;
        if (trusted !== undefined) untrack(() => this.#trustChanged(trusted));
      });
    });
  }

  show(run?: string): void {
    this.#services.layout.view = 'runs';
    if (run !== undefined) this.#services.runsView.show(run);
  }

  showUsage(): void {
    this.#services.layout.view = 'runs';
    this.#services.runsView.showUsage();
  }

  /** The title of a run's skill, or its name if it was deleted. */
  nameOf(run: Pick<Trace, 'skill_scope' | 'skill_id' | 'skill_slug'>): string {
    return this.#services.catalog.summary({ scope: run.skill_scope, id: run.skill_id })?.name ?? run.skill_slug;
  }

  /** Opens the artifact of a trace. */
  openArtifact({ skill_scope: scope, skill_id: id, skill_slug: slug, artifact_path: path }: Trace, line?: number): void {
    const key = { scope, id };
    if (this.#services.catalog.summary(key)) this.#services.files.open(key, path, line === undefined ? {} : { at: { line, column: 1 } });
    else this.#services.toasts.show(`Skill ${slug} not found.`, { tone: 'warn' });
  }

  #trustChanged(trusted: boolean): void {
    const { runView, runsView } = this.#services;
    if (trusted) {
      runView.run.trusted();
      runsView.view.replay.trusted();
    } else runView.run.planning.touch();
  }
}
