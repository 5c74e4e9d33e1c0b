import { type Client, LongCall, type SkillKey } from '$lib/api';
import type { Target } from '$lib/api/generated';

interface DeployOptions {
  /** Paths of the chosen targets. */
  to: readonly string[];
  /** Links instead of copies. */
  link: boolean;
  /** Whether copies are written again whenever their skill changes. */
  watch: boolean;
}

/** Deploys skills to the folders of agents. A dry run shows what would happen to each copy. */
export class Deployment {
  /** Null while nothing is deployed. */
  skills = $state.raw<readonly SkillKey[] | null>(null);
  /** Those for the scopes of the skills. */
  targets = $state.raw<readonly Target.TargetState[]>([]);
  readonly options = $state<DeployOptions>({ to: [], link: false, watch: false });
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
    await this.change({ to: this.targets.filter(({ exists }) => exists).map(({ path }) => path) });
  }

  async choose(path: string, on: boolean): Promise<void> {
    const { to } = this.options;
    await this.change({ to: on ? [...to, path] : to.filter((one) => one !== path) });
  }

  /** Previews with other options. */
  async change(options: Partial<DeployOptions> = {}): Promise<void> {
    Object.assign(this.options, options);
    this.call.abandon();
    this.report = null;
    if (this.options.to.length > 0) this.report = await this.#run('checking', { dry_run: true });
  }

  async deploy(): Promise<void> {
    if (this.call.busy || this.options.to.length === 0) return;
    const report = await this.#run('deploying', { create_folders: true });
    if (report === null) return;
    this.report = report;
    this.deployed = true;
  }

  close(): void {
    this.call.abandon();
    this.skills = null;
    this.targets = [];
    Object.assign(this.options, { to: [], link: false, watch: false });
    this.report = null;
    this.deployed = false;
  }

  #run(doing: 'checking' | 'deploying', params: Partial<Target.DeployParams>): Promise<Target.DeployReport | null> {
    const skills = (this.skills ?? []).map(({ id, scope }) => ({ skill: id, scope }));
    const { to, link, watch } = this.options;
    // Without the option, copies are watched as before.
    return this.call.run(doing, 'target/deploy', { skills, to: [...to], link, watch: watch && !link ? true : null, ...params });
  }
}
