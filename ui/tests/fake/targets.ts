// The folders of other agents, as the real operation tells of them.
import type { ImportItem, ImportStatus, OutputOf, Scope, Target } from '$lib/api/generated';
import { FakeDeployments } from './deployments';
import type { FakeStore } from './store';

const HOME = '/home/ada';

export class FakeTargets {
  readonly folders: Omit<Target.TargetSkills, 'skills'>[] = [];
  readonly #skills: { folder: string; slug: string | null; path: string; fixed: ImportStatus | null }[] = [];
  readonly deployments: FakeDeployments;
  readonly #store: FakeStore;

  constructor(store: FakeStore) {
    this.#store = store;
    this.deployments = new FakeDeployments(store);
  }

  /** An agent's folder with skills; `refused` ones are named by their folder. */
  put(agent: string, folder: string, slugs: readonly string[], refused: readonly string[] = [], conflicts: readonly string[] = []): void {
    const path = folder.startsWith('/') ? folder : `${HOME}/${folder}`;
    this.folders.push({ agent: agent.toLowerCase().replace(/ /g, '-'), name: agent, of_workspace: folder.startsWith('/'), path, diagnostics: [] });
    for (const slug of slugs) this.#skills.push({ folder: path, slug, path: `${path}/${slug}`, fixed: null });
    for (const slug of conflicts) this.#skills.push({ folder: path, slug, path: `${path}/${slug}`, fixed: 'conflict' });
    for (const name of refused) this.#skills.push({ folder: path, slug: null, path: `${path}/${name}`, fixed: 'refused' });
  }

  list(): OutputOf<'target/list'> {
    const targets = this.folders.map((folder) => ({
      ...folder,
      skills: this.#skills.filter((one) => one.folder === folder.path).map((one) => this.#item(one.path, folder.of_workspace ? 'workspace' : 'account')),
    }));
    const fresh = new Set(targets.flatMap(({ skills }) => skills.flatMap(({ status, slug }) => (status === 'new' ? [slug] : []))));
    return { targets, new: fresh.size };
  }

  has(path: string): boolean {
    return this.#skills.some((one) => one.path === path);
  }

  items(paths: readonly string[], scope: Scope): ImportItem[] {
    return paths.map((path) => this.#item(path, scope));
  }

  #item(path: string, scope: Scope): ImportItem {
    const { slug, fixed } = this.#skills.find((one) => one.path === path) ?? { slug: null, fixed: 'refused' as const };
    const known = this.#store.skills.find(({ summary, deleted }) => !deleted && summary.scope === scope && summary.slug === slug);
    const status = fixed ?? (known ? (known.summary.locked ? 'locked' : 'unchanged') : 'new');
    const why = { rule: 'frontmatter/missing', severity: 'error', message: 'missing frontmatter', hint: 'start the file with ---', file: 'SKILL.md', line: 1, column: 1, end_line: null, end_column: null, pointer: null } as const;
    return { path, slug, name: slug === null ? null : titleOf(slug), status, stored: false, skill: known?.summary.id ?? null, revision: null, base: null, changes: [], diagnostics: status === 'refused' ? [why] : [] };
  }
}

const titleOf = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1).replace(/-/g, ' ');
