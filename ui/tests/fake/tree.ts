// What the tree asks of the core: compact rows in pages, and files that go from place to place.
import type { EditResult, Files, Scope, Skill, SkillDetail, SkillListCursor } from '$lib/api/generated';
import type { SeedFile } from './seed';
import { fail, type FakeStore, type FakeSkill } from './store';

/** What the store lets this file do. */
export interface Hands {
  get: (ref: { skill: string; scope?: Scope | null }) => FakeSkill;
  summary: (skill: FakeSkill) => Skill.SkillSummary;
  detail: (skill: FakeSkill) => SkillDetail;
  write: (skill: FakeSkill, files: Map<string, SeedFile>, why: string) => EditResult;
}

export class FakeTree {
  /** What lies on the disk, by absolute path. */
  readonly disk = new Map<string, 'skill' | 'skills' | 'folder' | 'file'>();
  readonly #store: FakeStore;
  readonly #hands: Hands;

  constructor(store: FakeStore, hands: Hands) {
    this.#store = store;
    this.#hands = hands;
  }

  page({ from, limit, only }: { from?: SkillListCursor | null; limit?: number | null; only?: { scope: Scope; ids: string[] } | null }): Skill.TreePage {
    const there = this.#store.skills.filter(({ summary, deleted }) => !deleted && (this.#store.workspace !== null || summary.scope === 'account'));
    const total = there.length;
    const rows = (skills: FakeSkill[]): Skill.SkillListItem[] => skills.map((skill) => listItem(this.#hands.summary(skill)));
    if (only) return { skills: rows(there.filter(({ summary }) => summary.scope === only.scope && only.ids.includes(summary.id))), next: null, total };
    const place = ({ summary }: FakeSkill): string => `${summary.scope === 'workspace' ? 0 : 1}:${summary.name.toLowerCase()}`;
    const after = from ? `${from.scope === 'workspace' ? 0 : 1}:${from.after ?? ''}` : '';
    const rest = there.map((skill) => ({ skill, at: place(skill) })).filter(({ at }) => at > after).sort((a, b) => (a.at < b.at ? -1 : 1));
    const skills = rows(rest.slice(0, limit ?? 500).map(({ skill }) => skill));
    const last = skills.at(-1);
    return { skills, next: last && rest.length > skills.length ? { scope: last.scope, after: last.name.toLowerCase() } : null, total };
  }

  revert({ from, to, ...ref }: { skill: string; scope?: Scope | null; from: number; to: number }): EditResult {
    const skill = this.#hands.get(ref);
    const at = (number: number): Map<string, SeedFile> => {
      const revision = skill.revisions.find((one) => one.info.number === number);
      if (!revision) throw fail('notFound', 'history doesn’t reach back to that revision any more');
      return revision.files;
    };
    const [after, before] = [at(from), at(to)];
    const files = new Map(skill.files);
    for (const path of new Set([...after.keys(), ...before.keys()])) {
      const [mine, wanted] = [after.get(path), before.get(path)];
      if (mine?.text === wanted?.text && mine?.kind === wanted?.kind) continue;
      if (skill.files.get(path)?.text !== mine?.text) throw fail('revisionConflict', `${path} was changed by a later revision`, { hint: 'compare the revisions in the skill’s history' });
      if (wanted) files.set(path, wanted);
      else files.delete(path);
    }
    return this.#hands.write(skill, files, `reverted revision ${from}`);
  }

  move({ to, keep, ...ref }: { skill: string; scope?: Scope | null; to: Scope; keep?: boolean }): { skill: SkillDetail; removed: boolean; unlinked: string | null; failure: null } {
    const from = this.#hands.get(ref);
    if (!keep && from.summary.locked) throw fail('locked', `${from.summary.name} is locked`);
    const { slug, name, description } = from.summary;
    if (this.#store.skills.some((one) => !one.deleted && one.summary.scope === to && one.summary.slug === slug)) throw fail('exists', `the ${to} has a skill ${slug} already`);
    const copy = this.#store.add({ scope: to, slug, name, description, files: Object.fromEntries(from.files) });
    if (!keep) this.#remove(from);
    return { skill: this.#hands.detail(copy), removed: !keep, unlinked: null, failure: null };
  }

  duplicate(ref: { skill: string; scope?: Scope | null }): SkillDetail {
    const { summary, files } = this.#hands.get(ref);
    return this.#hands.detail(this.#store.add({ scope: summary.scope, slug: `${summary.slug}-copy`, name: `${summary.name} copy`, description: summary.description, files: Object.fromEntries(files) }));
  }

  copy({ files, remove, on_existing, to_skill, to_scope, ...ref }: Files.CopyParams): Files.AddedFiles {
    const from = this.#hands.get(ref);
    const to = to_skill ? this.#hands.get({ skill: to_skill, ...(to_scope ? { scope: to_scope } : {}) }) : from;
    if (remove && from.summary.locked) throw fail('locked', `${from.summary.name} is locked`);
    const incoming = files.map((one) => {
      const file = from.files.get(one.from);
      if (!file) throw fail('notFound', `file ${one.from} not found in this skill`);
      if (file.role === 'main' || file.role === 'manifest') throw fail('invalid', `${one.from} can't be copied on its own: it defines its skill`, { hint: 'duplicate or move the skill instead' });
      return { ...one, file };
    });
    const arrived = this.#put(to, incoming, on_existing ?? 'refuse');
    if (!remove || arrived.files.length === 0) return arrived;
    const rest = new Map(from.files);
    for (const one of arrived.files) {
      rest.delete(one.from);
      this.#moveDraft(from, one.from, to, one.to);
    }
    const before = from.summary.revision;
    const { skill } = this.#hands.write(from, rest, `moved to ${to.summary.slug}`);
    return { ...arrived, source: skill, source_before: before };
  }

  #moveDraft(from: FakeSkill, path: string, to: FakeSkill, at: string): void {
    const { drafts } = this.#store;
    const key = this.#store.draftKey(from, path);
    const draft = drafts.get(key);
    if (!draft) return;
    drafts.delete(key);
    const { id, scope, revision } = to.summary;
    drafts.set(this.#store.draftKey(to, at), { ...draft, skill_id: id, scope, path: at, base_revision: revision });
  }

  addFiles({ folder, paths, on_existing, ...ref }: { skill: string; scope?: Scope | null; folder?: string | null; paths: string[]; on_existing?: Files.OnExisting }): Files.AddedFiles {
    const incoming = paths.map((path) => {
      if (!this.disk.has(path)) throw fail('notFound', `${path} doesn’t exist`);
      const name = path.slice(path.lastIndexOf('/') + 1);
      const to = folder ? `${folder}/${name}` : name;
      return { from: to, to, file: { text: `from ${path}` } };
    });
    return this.#put(this.#hands.get(ref), incoming, on_existing ?? 'refuse');
  }

  pathStatus({ paths }: { paths: string[] }): { items: { path: string; kind: 'skill' | 'skills' | 'folder' | 'file' | 'missing' }[] } {
    return { items: paths.map((path) => ({ path, kind: this.disk.get(path) ?? 'missing' })) };
  }

  #put(to: FakeSkill, incoming: { from: string; to: string; file: SeedFile }[], on_existing: Files.OnExisting): Files.AddedFiles {
    const files = new Map(to.files);
    const taken = (path: string): boolean => [...files.keys()].some((known) => known.toLowerCase() === path.toLowerCase());
    const there = incoming.filter((one) => taken(one.to)).map((one) => one.to);
    if (on_existing === 'refuse' && there.length > 0) {
      const more = there.length > 1 ? ` and ${there.length - 1} more` : '';
      throw fail('exists', `${there[0] ?? ''}${more} already exist${more === '' ? 's' : ''}`, { hint: 'replace, keep both, or skip', fields: { paths: there } });
    }
    const placed: { from: string; to: string }[] = [];
    for (const one of incoming) {
      let path = one.to;
      if (taken(path)) {
        if (on_existing === 'skip') continue;
        if (on_existing === 'both') path = path.replace(/(\.[^/]*)?$/, '-copy$1');
      }
      files.set(path, { ...one.file });
      placed.push({ from: one.from, to: path });
    }
    const before = to.summary.revision;
    const skill = placed.length > 0 ? this.#hands.write(to, files, 'files came').skill : this.#hands.detail(to);
    return { skill, before, files: placed, source: null, source_before: null, failure: null, diagnostics: [] };
  }

  #remove(skill: FakeSkill): void {
    skill.deleted = true;
    queueMicrotask(() => this.#store.emit('skill', [skill.summary.id], skill.summary.scope, 'window'));
  }
}

/** Like the core: what is usual isn't sent. */
function listItem(summary: Skill.SkillSummary): Skill.SkillListItem {
  const { id, scope, slug, name, revision, lifecycle, enabled } = summary;
  return {
    id, scope, slug, name, revision, lifecycle, enabled,
    ...(summary.source === 'user' ? {} : { source: summary.source }),
    ...(summary.locked ? { locked: true } : {}),
    ...(summary.shadows ? { shadows: true } : {}),
    ...(summary.shadowed ? { shadowed: true } : {}),
    ...(summary.collides_with ? { collides_with: summary.collides_with } : {}),
    ...(summary.tags.length > 0 ? { tags: summary.tags } : {}),
    ...(summary.kinds.length > 0 ? { kinds: summary.kinds } : {}),
  };
}
