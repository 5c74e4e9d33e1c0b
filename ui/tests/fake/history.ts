// The past of skills, comparisons, and copies in other agents' folders.
import type { Compare, ComparedFile, EditResult, OutputOf, ParamsOf, RevisionFile, Scope, Skill } from '$lib/api/generated';
import type { SeedFile } from './seed';
import { createHash } from './sha256';
import { fail, type FakeStore, type FakeSkill } from './store';

/** What the store lets this file do. */
export interface Hands {
  get: (ref: { skill: string; scope?: Scope | null }) => FakeSkill;
  write: (skill: FakeSkill, files: Map<string, SeedFile>, why: string) => EditResult;
}

type Files = ReadonlyMap<string, SeedFile>;

export class FakeHistory {
  /** Copies by the skill's slug, with what is in them. */
  readonly copies = new Map<string, { copy: Skill.SkillCopy; files: Files }[]>();
  readonly #store: FakeStore;
  readonly #hands: Hands;

  constructor(store: FakeStore, hands: Hands) {
    this.#store = store;
    this.#hands = hands;
  }

  addCopy(slug: string, relation: Skill.SkillCopy['relation'], folder: string, files: Record<string, string>): void {
    const path = `/home/ada/${folder.replace('~/', '')}/${slug}`;
    const copy: Skill.SkillCopy = { agent: 'Claude Code', of_workspace: false, folder, path, relation, revision: null, version: '1.0.0', problem: null };
    const content = new Map(Object.entries(files).map(([name, text]) => [name, { text }]));
    this.copies.set(slug, [...(this.copies.get(slug) ?? []), { copy, files: content }]);
  }

  list({ path, before, limit, ...ref }: ParamsOf<'skill/history'>): OutputOf<'skill/history'> {
    const all = this.#hands.get(ref).revisions.map((one) => one.info).toReversed();
    const wanted = all.filter((one) => one.number < (before ?? Infinity) && (path == null || one.changed.some((file) => file.path === path)));
    const revisions = wanted.slice(0, limit ?? 50);
    return { revisions, next: wanted.length > revisions.length ? (revisions.at(-1)?.number ?? null) : null };
  }

  restore({ number, paths, expected, ...ref }: ParamsOf<'skill/restore_files'>): EditResult {
    const skill = this.#hands.get(ref);
    if (expected != null && expected !== skill.summary.revision) throw fail('revisionConflict', 'the skill was changed meanwhile');
    const past = this.#past(skill, number);
    const files = new Map(skill.files);
    for (const path of paths) {
      const file = past.get(path);
      if (file) files.set(path, file);
      else files.delete(path);
    }
    return this.#hands.write(skill, files, `restored ${paths.join(', ')} from revision ${number}`);
  }

  compare({ left, right }: ParamsOf<'compare/files'>): OutputOf<'compare/files'> {
    const [before, after] = [this.#files(left), this.#files(right)];
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    return { left: this.#side(left), right: this.#side(right), files: paths.flatMap((path) => compared(path, before.get(path), after.get(path))) };
  }

  texts({ left, right }: ParamsOf<'compare/texts'>): OutputOf<'compare/texts'> {
    return { left: fileOf(this.#files(left.of).get(left.path)), right: fileOf(this.#files(right.of).get(right.path)) };
  }

  locations(ref: ParamsOf<'skill/locations'>): OutputOf<'skill/locations'> {
    const { summary } = this.#hands.get(ref);
    const sameName = this.#store.skills.find(({ summary: one, deleted }) => !deleted && one.slug === summary.slug && one.scope !== summary.scope)?.summary;
    const other = sameName && this.#store.workspace !== null ? sameName : null;
    const copies = (this.copies.get(summary.slug) ?? []).map(({ copy }) => copy);
    const scope = summary.scope === 'workspace' ? (other ? 'workspace overrides account' : 'workspace only') : other ? 'account, overridden by the workspace' : 'account, in every workspace';
    const also = copies.map(({ folder, relation }, index) => `${index === 0 ? 'also in ' : ''}${folder}, ${relation}`);
    return {
      line: [summary.enabled ? scope : `${scope}, disabled`, ...also].join('; '),
      wins: other || summary.scope === 'workspace' ? 'workspace' : 'account',
      other: other && { id: other.id, scope: other.scope, slug: other.slug, name: other.name, revision: other.revision, version: other.version, enabled: other.enabled, relation: 'different' },
      parent: null,
      copies,
    };
  }

  #past(skill: FakeSkill, number: number): Files {
    const found = skill.revisions.find((one) => one.info.number === number);
    if (!found) throw fail('notFound', `no revision "${number}" here`);
    return found.files;
  }

  #files({ skill: name, scope, revision, copy }: Compare.Version): Files {
    const skill = this.#hands.get({ skill: name, scope: scope ?? null });
    if (copy != null) {
      const found = this.copies.get(skill.summary.slug)?.find((one) => one.copy.path === copy);
      if (!found) throw fail('notFound', `no copy "${copy}" here`);
      return found.files;
    }
    if (revision === 0) return new Map();
    return revision == null ? skill.files : this.#past(skill, revision);
  }

  #side({ skill: name, scope, revision, copy }: Compare.Version): OutputOf<'compare/files'>['left'] {
    const { summary } = this.#hands.get({ skill: name, scope: scope ?? null });
    const { id, slug, name: title } = summary;
    return { id, slug, name: title, scope: summary.scope, revision: copy == null ? (revision ?? summary.revision) : null, now: copy == null && (revision ?? summary.revision) === summary.revision, copy: copy ?? null };
  }
}

export function fileOf(file: SeedFile | undefined): RevisionFile {
  return { text: file?.text ?? null, sha256: file ? createHash(file.text ?? '') : null, size: file ? (file.text ?? '').length : null };
}

function compared(path: string, before: SeedFile | undefined, after: SeedFile | undefined): ComparedFile[] {
  if (before !== undefined && before.text === after?.text) return [];
  const lines = (file: SeedFile | undefined): string[] => (file?.text ?? '').split('\n').filter(Boolean);
  const [old, now] = [lines(before), lines(after)];
  const change = !before ? 'added' : !after ? 'removed' : 'modified';
  return [{ path, change, text: true, mode: false, executable: false, added: now.filter((line) => !old.includes(line)).length, removed: old.filter((line) => !now.includes(line)).length }];
}
