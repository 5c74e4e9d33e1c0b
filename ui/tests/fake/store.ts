// Skills in memory: files, revisions, drafts, and the change feed of a core that other programs write to as well.
import { diagnose } from './render';
import { checkSkillJson } from './manifests';
import type { Seed, SeedFile } from './seed';
import { createHash } from './sha256';
import type { ChangeEvent, ChangeKind, Check, Code, Diagnostic, Draft, EditResult, Failure, FileEntry, OperationName, OutputOf, ParamsOf, Scope, Skill, SkillDetail, SkillRef } from '$lib/api/generated';

export interface FakeSkill {
  summary: Skill.SkillSummary;
  files: Map<string, SeedFile>;
  revisions: { info: Skill.RevisionInfo; files: Map<string, SeedFile> }[];
  deleted: boolean;
}

type Answers<Name extends OperationName> = { [N in Name]: (params: ParamsOf<N>) => OutputOf<N> };
type PublishOperation = 'publish/create' | 'publish/status' | 'publish/refresh' | 'publish/plan' | 'publish/release';
export type PublishHandlers = Answers<PublishOperation>;

/** What answers the operations. The window calls no tools, withdraws no versions and runs script files that are no artifacts by command only. */
export type Handlers = Answers<Exclude<OperationName, `catalog/${string}` | `publish/${string}` | `resource/${string}` | `tool/${string}` | 'run/script'>> & PublishHandlers;

export function fail(code: Code, message: string, more: Partial<Failure> = {}): Failure {
  return { code, message, hint: null, fields: null, requestId: 'r-1', ...more };
}

export class FakeStore {
  readonly drafts = new Map<string, Draft>();
  readonly skills: FakeSkill[] = [];
  workspace: string | null = null;
  now = Date.UTC(2026, 2, 14, 9, 30);
  protected readonly listeners = new Set<(event: ChangeEvent) => void>();
  #seq = 0;
  #ids = 0;

  add(seed: Seed): FakeSkill {
    const id = `skill-${++this.#ids}`;
    const now = new Date(this.now).toISOString();
    const locked = seed.source !== undefined && seed.source !== 'user';
    const files = new Map(Object.entries(seed.files));
    const skill: FakeSkill = {
      deleted: false,
      files,
      revisions: [],
      summary: {
        id, scope: seed.scope, slug: seed.slug, name: seed.name, description: seed.description, version: '1.0.0',
        tags: seed.tags ?? [], category: 'general', source: seed.source ?? 'user', origin: 'human',
        lifecycle: seed.lifecycle ?? 'released', trust_tier: locked ? 4 : 3, enabled: seed.enabled ?? true,
        user_invocable: true, revision: 0, author: locked ? 'inklings' : null, created_at: now, updated_at: now, locked,
        shadows: false, shadowed: false, collides_with: null, kinds: [], files: files.size, bytes: 0,
      },
    };
    this.skills.push(skill);
    this.commit(skill, files, 'created');
    return skill;
  }

  find(slug: string, scope: Scope = 'account'): FakeSkill {
    const skill = this.skills.find((one) => one.summary.slug === slug && one.summary.scope === scope && !one.deleted);
    if (!skill) throw new Error(`no skill ${slug}`);
    return skill;
  }

  /** Another process writes a file. */
  writeElsewhere(slug: string, path: string, text: string | null, scope: Scope = 'account'): void {
    const skill = this.find(slug, scope);
    const files = new Map(skill.files);
    if (text === null) files.delete(path);
    else files.set(path, { ...files.get(path), text });
    this.commit(skill, files, 'edited by the command line', 'cli');
  }

  emit(kind: ChangeKind, ids: string[], scope: Scope = 'account', origin = 'other'): void {
    const workspace = scope === 'workspace' ? this.workspace : null;
    const event = { seq: ++this.#seq, kind, ids, origin, scope, workspace };
    for (const listener of this.listeners) listener(event);
  }

  protected commit(skill: FakeSkill, files: Map<string, SeedFile>, why: string, origin = 'window'): void {
    const before = skill.files;
    skill.files = files;
    const { summary } = skill;
    summary.revision += 1;
    summary.files = files.size;
    summary.bytes = [...files.values()].reduce((sum, file) => sum + sizeOf(file), 0);
    summary.kinds = [...new Set([...files.values()].flatMap((file) => (file.kind ? [file.kind] : [])))];
    summary.updated_at = new Date(this.now).toISOString();
    const first = skill.revisions.length === 0;
    const paths = new Set([...before.keys(), ...files.keys()]);
    const changed = [...paths].flatMap((path): Skill.RevisionInfo['changed'] => {
      if (first || !before.has(path)) return [{ path, change: 'added' }];
      if (!files.has(path)) return [{ path, change: 'removed' }];
      return before.get(path)?.text === files.get(path)?.text ? [] : [{ path, change: 'modified' }];
    });
    skill.revisions.push({
      info: { number: summary.revision, created_at: summary.updated_at, actor: origin === 'cli' ? 'inklings (cli)' : 'local', why, previous: first ? null : summary.revision - 1, changed },
      files: new Map(files),
    });
    queueMicrotask(() => this.emit('skill', [summary.id], summary.scope, origin));
  }

  protected get(ref: SkillRef): FakeSkill {
    const skill = this.skills.find(
      ({ summary, deleted }) =>
        !deleted && (summary.id === ref.skill || summary.slug === ref.skill) && (!ref.scope || summary.scope === ref.scope),
    );
    if (!skill) throw fail('notFound', `no skill ${ref.skill}`);
    return skill;
  }

  /** A deleted skill is found by its id: it keeps its drafts. */
  protected drafted(ref: SkillRef): FakeSkill {
    return this.skills.find(({ summary, deleted }) => deleted && summary.id === ref.skill && (!ref.scope || summary.scope === ref.scope)) ?? this.get(ref);
  }

  protected open(): boolean {
    return this.workspace !== null;
  }

  protected summary({ summary }: FakeSkill): Skill.SkillSummary {
    const sameName = this.open() && this.skills.some(
      (other) => !other.deleted && other.summary.slug === summary.slug && other.summary.scope !== summary.scope,
    );
    return { ...summary, shadows: sameName && summary.scope === 'workspace', shadowed: sameName && this.open() && summary.scope === 'account' };
  }

  protected entry(skill: FakeSkill, path: string): FileEntry {
    const file = skill.files.get(path);
    if (!file) throw fail('notFound', `${skill.summary.slug} has no file ${path}`);
    const artifact = file.kind
      ? { id: `${skill.summary.id}/${path}`, kind: file.kind, name: file.name ?? path, ordinal: [...skill.files.keys()].indexOf(path), variant: file.variant ?? null, metadata: {} }
      : null;
    return {
      path,
      size: sizeOf(file),
      sha256: createHash(file.text ?? `binary ${file.bytes ?? 0}`),
      executable: path.endsWith('.sh'),
      text: file.text !== null,
      role: file.role ?? (file.kind ? 'artifact' : 'file'),
      artifact,
      draft: this.drafts.has(this.draftKey(skill, path)),
    };
  }

  protected detail(skill: FakeSkill): SkillDetail {
    const summary = this.summary(skill);
    return {
      ...summary,
      entries: [...skill.files.keys()].map((path) => this.entry(skill, path)),
      when_not_to_use: null,
      triggers: summary.tags.length > 0 ? ['are there any contradictions'] : [],
      intent_patterns: [],
      depends_on: [],
      conflicts_with: [],
      parent_skill_id: null,
      provenance: null,
      resolved: summary.shadows ? 'workspace overrides account' : summary.shadowed ? 'hidden by the workspace' : `from the ${summary.scope}`,
      diagnostics: [...skill.files].flatMap(([path, file]) => (file.text === null ? [] : this.check(path, file.text))),
    };
  }

  protected check(path: string, text: string): Diagnostic[] {
    const one = (rule: string, severity: Diagnostic['severity'], message: string, line: number, column = 1): Diagnostic => ({
      rule, severity, message, hint: null, file: path, line, column, end_line: null, end_column: null, pointer: null,
    });
    if (path.endsWith('.j2')) return diagnose(text).map((found) => ({ ...found, file: path }));
    if (path === 'skill.json') return checkSkillJson(path, text);
    if (path.endsWith('.json')) {
      try {
        JSON.parse(text);
      } catch (cause) {
        return [one('json/syntax', 'error', cause instanceof Error ? cause.message : 'invalid JSON', 1)];
      }
    }
    if (path === 'SKILL.md') {
      const line = text.split('\n').findIndex((row) => row.startsWith('description:')) + 1;
      if (line === 0) return [one('frontmatter/description', 'error', 'missing description in the frontmatter', 1)];
      if ((text.split('\n')[line - 1] ?? '').length < 40) {
        return [{ ...one('frontmatter/short', 'warning', 'the description is short', line, 14), hint: 'Describe what the skill does and when to use it' }];
      }
    }
    return [];
  }

  /** A short description can be made longer. */
  protected fixesFor(path: string, text: string, { rule, line }: Diagnostic): Check.Fix[] {
    if (rule !== 'frontmatter/short' || line === null) return [];
    const column = (text.split('\n')[line - 1] ?? '').length + 1;
    return [{ title: 'Say when to use it', path, edits: [{ line, column, end_line: line, end_column: column, text: ' Use it when someone asks for it.' }], rename: null }];
  }

  draftKey(skill: FakeSkill, path: string): string {
    return `${skill.summary.scope}:${skill.summary.id}/${path}`;
  }

  protected edit(skill: FakeSkill, expected: number, changes: Skill.Change[], why: string): EditResult {
    if (skill.summary.locked) throw fail('locked', `${skill.summary.name} is locked`, { hint: 'duplicate it and edit the copy' });
    const base = skill.revisions.find((one) => one.info.number === expected)?.files ?? new Map<string, SeedFile>();
    for (const change of changes) {
      if (change.op !== 'write') continue;
      const theirs = skill.files.get(change.path)?.text ?? null;
      const before = base.get(change.path)?.text ?? null;
      if (expected !== skill.summary.revision && theirs !== before) {
        this.drafts.set(this.draftKey(skill, change.path), this.draft(skill, change.path, expected, change.text));
        throw fail('revisionConflict', `${change.path} was changed by someone else`, {
          fields: { path: change.path, revision: skill.summary.revision, base: before ?? '', theirs: theirs ?? '', ours: change.text },
        });
      }
    }
    const files = new Map(skill.files);
    for (const change of changes) {
      if (change.op === 'write') files.set(change.path, { ...files.get(change.path), text: change.text });
    }
    return { ...this.write(skill, files, why), rebased: expected !== skill.summary.revision - 1 };
  }

  protected write(skill: FakeSkill, files: Map<string, SeedFile>, why: string): EditResult {
    if (skill.summary.locked) throw fail('locked', `${skill.summary.name} is locked`, { hint: 'duplicate it and edit the copy' });
    const before = skill.summary.revision;
    this.commit(skill, files, why);
    const detail = this.detail(skill);
    return { skill: detail, revision: detail.revision, before, rebased: false, diagnostics: detail.diagnostics };
  }

  protected draft(skill: FakeSkill, path: string, revision: number, text: string): Draft {
    const base = skill.revisions.find((one) => one.info.number === revision)?.files.get(path);
    return {
      skill_id: skill.summary.id,
      scope: skill.summary.scope,
      path,
      base_revision: revision,
      base_sha256: base ? createHash(base.text ?? '') : null,
      text,
      updated_at: new Date(this.now).toISOString(),
    };
  }
}

function sizeOf(file: SeedFile): number {
  return file.bytes ?? new TextEncoder().encode(file.text ?? '').length;
}
