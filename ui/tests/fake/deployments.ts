// Copies of skills in the folders of agents, as the real operations make them.
import type { Kit, OutputOf, ParamsOf, Skill, Target } from '$lib/api/generated';
import { fileOf } from './history';
import type { FakeStore } from './store';

export class FakeDeployments {
  /** Paths of the folders that exist. */
  readonly existing = new Set(['/home/ada/.claude/skills']);
  /** By path. */
  readonly copies = new Map<string, Target.DeployedCopy>();
  kits: Kit.Kit[] = [];
  /** Conflicting files of the next update. */
  conflicts: string[] = [];
  /** Why the copy of the next update can’t be written. */
  copyFailure: Target.PullReport['failure'] = null;
  readonly #agents = [
    { agent: 'claude-code', name: 'Claude Code', path: '/home/ada/.claude/skills' },
    { agent: 'codex', name: 'Codex', path: '/home/ada/.codex/skills' },
  ];
  readonly #store: FakeStore;

  readonly operations = {
    'target/status': (): OutputOf<'target/status'> => this.status(),
    'target/deploy': (params: ParamsOf<'target/deploy'>): OutputOf<'target/deploy'> => this.deploy(params),
    'target/pull': (params: ParamsOf<'target/pull'>): OutputOf<'target/pull'> => this.pull(params),
    'target/file': (): OutputOf<'target/file'> => ({ base: fileOf({ text: 'one' }), ours: fileOf({ text: 'one' }), theirs: fileOf({ text: 'two' }) }),
    'kit/list': (): OutputOf<'kit/list'> => ({ kits: this.kits }),
    'kit/change': (params: ParamsOf<'kit/change'>): OutputOf<'kit/change'> => this.changeKit(params),
    'kit/delete': ({ name }: ParamsOf<'kit/delete'>): OutputOf<'kit/delete'> => this.deleteKit(name),
    'target/remove': (params: ParamsOf<'target/remove'>): OutputOf<'target/remove'> => this.remove(params),
  };

  constructor(store: FakeStore) {
    this.#store = store;
  }

  status(): OutputOf<'target/status'> {
    const targets = this.#agents.map((agent) => ({
      ...agent,
      of_workspace: false,
      exists: this.existing.has(agent.path),
      copies: [...this.copies.values()].filter((copy) => copy.path.startsWith(`${agent.path}/`)),
    }));
    return { targets };
  }

  deploy({ skills = [], to = [], dry_run = false, replace_edited = false, watch }: ParamsOf<'target/deploy'>): OutputOf<'target/deploy'> {
    const copies = skills.flatMap(({ skill }) =>
      this.#agents
        .filter(({ agent, path }) => to.includes(agent) || to.includes(path))
        .map(({ agent, name, path }): Target.DeployedCopy => {
          const summary = this.#summary(skill);
          const key = `${path}/${summary.slug}`;
          const before = this.copies.get(key);
          const status = before?.status ?? 'new';
          const changed = !dry_run && (status !== 'drift' || replace_edited);
          const copy = { agent, agent_name: name, path: key, skill: summary.id, scope: summary.scope, slug: summary.slug, status, watch: watch ?? before?.watch ?? false, revision: summary.revision, edited: [], changed, creates_folder: !this.existing.has(path), failure: null };
          if (changed) {
            this.existing.add(path);
            this.copies.set(key, { ...copy, status: 'unchanged', changed: false, creates_folder: false });
          }
          return copy;
        }),
    );
    return { copies, dry_run, stopped: false };
  }

  pull({ skill, theirs = [], ours = [], dry_run = false }: ParamsOf<'target/pull'>): OutputOf<'target/pull'> {
    const summary = this.#summary(skill.skill);
    const copy = [...this.copies.values()].find((one) => one.slug === summary.slug && one.status === 'drift');
    if (!copy) throw new Error('not edited');
    const conflicts = this.conflicts.filter((path) => !theirs.includes(path) && !ours.includes(path));
    const stored = conflicts.length === 0 && !dry_run;
    const failure = stored ? this.copyFailure : null;
    if (stored && !failure) this.copies.set(copy.path, { ...copy, status: 'unchanged', edited: [] });
    const { path } = copy;
    return { skill: summary.id, scope: summary.scope, slug: summary.slug, path, base: 1, changes: [{ path: 'SKILL.md', by: this.conflicts.length > 0 ? 'conflict' : 'theirs' }], conflicts, revision: 2, stored, failure, dry_run };
  }

  remove({ skills }: ParamsOf<'target/remove'>): OutputOf<'target/remove'> {
    const copies = [...this.copies.values()].filter((copy) => skills.includes(copy.skill));
    for (const { path } of copies) this.copies.delete(path);
    return { copies, dry_run: false, stopped: false };
  }

  changeKit({ name, add = [] }: ParamsOf<'kit/change'>): OutputOf<'kit/change'> {
    const slugs = add.map((one) => this.#store.skills.find(({ summary }) => summary.id === one || summary.slug === one)?.summary.slug ?? one);
    const kit = { name, skills: [...(this.kits.find((one) => one.name === name)?.skills ?? []), ...slugs] };
    this.kits = [...this.kits.filter((one) => one.name !== name), kit];
    return kit;
  }

  deleteKit(name: string): OutputOf<'kit/delete'> {
    this.kits = this.kits.filter((one) => one.name !== name);
    return {};
  }

  #summary(id: string): Skill.SkillSummary {
    const found = this.#store.skills.find(({ summary }) => summary.id === id);
    if (!found) throw new Error(`no skill ${id}`);
    return found.summary;
  }
}
