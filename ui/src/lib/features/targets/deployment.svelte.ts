import { type Client, LongCall, type SkillKey } from '$lib/api';
import type { Target } from '$lib/api/generated';

/** Deploys skills to the folders of agents. A dry run shows what would happen to each copy. */
export class Deployment {
  /** Null while nothing is deployed. */
  skills = $state.raw<readonly SkillKey[] | null>(null);
  /** Those for the scopes of the skills. */
  targets = $state.raw<readonly Target.TargetState[]>([]);
  /** Paths of the chosen targets. */
  chosen = $state.raw<readonly string[]>([]);
  report = $state.raw<Target.DeployReport | null>(null);
  /** Whether the report is of a deployment; else of a dry run. */
  deployed = $state(false);
  readonly call: LongCall<'checking' | 'deploying'>;

  constructor(client: Client) {
    this.call = new LongCall(client);
  }

  async start(skills: readonly SkillKey[]): Promise<void> {
    if (skills.length === 0) return;
    this.close();
    this.skills = skills;
    await this.load();
  }

  async load(): Promise<void> {
    const status = await this.call.run('checking', 'target/status', {});
    if (status === null) return;
    const scopes = new Set(this.skills?.map(({ scope }) => scope));
    this.targets = status.targets.filter((target) => scopes.has(target.of_workspace ? 'workspace' : 'account'));
    this.chosen = this.targets.filter(({ exists }) => exists).map(({ path }) => path);
    await this.preview();
  }

  async choose(path: string, on: boolean): Promise<void> {
    this.chosen = on ? [...this.chosen, path] : this.chosen.filter((one) => one !== path);
    await this.preview();
  }

  async preview(): Promise<void> {
    this.call.abandon();
    this.report = null;
    if (this.chosen.length > 0) this.report = await this.#run('checking', { dry_run: true });
  }

  async deploy(): Promise<void> {
    if (this.call.busy || this.chosen.length === 0) return;
    const report = await this.#run('deploying', { create_folders: true });
    if (report === null) return;
    this.report = report;
    this.deployed = true;
  }

  close(): void {
    this.call.abandon();
    this.skills = null;
    this.targets = [];
    this.chosen = [];
    this.report = null;
    this.deployed = false;
  }

  #run(doing: 'checking' | 'deploying', params: Partial<Target.DeployParams>): Promise<Target.DeployReport | null> {
    const skills = (this.skills ?? []).map(({ id, scope }) => ({ skill: id, scope }));
    return this.call.run(doing, 'target/deploy', { skills, to: [...this.chosen], ...params });
  }
}
