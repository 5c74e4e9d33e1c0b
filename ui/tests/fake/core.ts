// An in-memory core that follows the wire contract: for controller tests and for looking at the UI without the program.
import { createHash } from './sha256';
import type { Platform } from '$lib/platform';
import type {
  Change,
  ChangeEvent,
  ChangeKind,
  Diagnostic,
  Draft,
  EditResult,
  Failure,
  FileContent,
  FileEntry,
  OperationName,
  OutputOf,
  Params,
  ParamsOf,
  Revision,
  SavedInput,
  Scope,
  SkillDetail,
  SkillSummary,
  Variable,
  WorkspaceStatus,
} from '$lib/wire';
import { diagnose, render, variablesOf } from './render';
import { type Seed, type SeedFile, SEEDS } from './seed';

interface Skill {
  summary: SkillSummary;
  files: Map<string, SeedFile>;
  revisions: { info: Revision; files: Map<string, SeedFile> }[];
  deleted: boolean;
}

type Handlers = { [N in OperationName]: (params: ParamsOf<N>) => OutputOf<N> };
export interface Call {
  name: string;
  params: Record<string, unknown>;
}

export const HOME = '/home/ada/.inklings';
export const WORKSPACE = '/home/ada/notes';

export function fail(code: string, message: string, more: Partial<Failure> = {}): Failure {
  return { code, message, hint: null, fields: null, requestId: 'r-1', ...more };
}

const tokensIn = (text: string): number => Math.ceil(text.length / 4);

export class FakeCore implements Platform {
  readonly calls: Call[] = [];
  readonly settings: Record<string, unknown> = {};
  readonly drafts = new Map<string, Draft>();
  readonly inputs = new Map<string, SavedInput[]>();
  readonly skills: Skill[] = [];
  workspace: string | null = null;
  title = '';
  clipboard = '';
  /** Set to make the next calls of an operation fail. */
  readonly failing = new Map<string, Failure>();
  /** Set to hold the replies of an operation back until `release`. */
  readonly held = new Map<string, (() => void)[]>();
  latency = 0;
  now = Date.UTC(2026, 2, 14, 9, 30);
  #listeners = new Set<(event: ChangeEvent) => void>();
  #seq = 0;
  #ids = 0;

  constructor(seeds: readonly Seed[] = SEEDS) {
    for (const seed of seeds) this.add(seed);
  }

  add(seed: Seed): Skill {
    const id = `skill-${++this.#ids}`;
    const now = new Date(this.now).toISOString();
    const locked = seed.source !== undefined && seed.source !== 'user';
    const files = new Map(Object.entries(seed.files));
    const skill: Skill = {
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
    this.#commit(skill, files, 'created');
    return skill;
  }

  // Platform

  async rpc(name: string, params: unknown, workspace: string | null): Promise<unknown> {
    this.calls.push({ name, params: params as Record<string, unknown> });
    this.workspace = workspace;
    const gate = this.held.get(name);
    if (gate) await new Promise<void>((resolve) => gate.push(resolve));
    if (this.latency > 0) await new Promise((resolve) => setTimeout(resolve, this.latency));
    const failure = this.failing.get(name);
    if (failure) throw failure;
    const handler = this.#handlers[name as OperationName] as ((params: unknown) => unknown) | undefined;
    if (!handler) throw fail('unknownOperation', `no operation ${name}`);
    return structuredClone(handler(params));
  }

  onChanges(listener: (event: ChangeEvent) => void): Promise<() => void> {
    this.#listeners.add(listener);
    return Promise.resolve(() => this.#listeners.delete(listener));
  }

  setTitle(title: string): void {
    this.title = title;
  }

  copyText(text: string): Promise<void> {
    this.clipboard = text;
    return Promise.resolve();
  }

  // For tests

  callsOf(name: OperationName): Record<string, unknown>[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.params);
  }

  hold(name: OperationName): void {
    this.held.set(name, []);
  }

  release(name: OperationName): void {
    const waiting = this.held.get(name) ?? [];
    this.held.delete(name);
    for (const go of waiting) go();
  }

  find(slug: string, scope: Scope = 'account'): Skill {
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
    this.#commit(skill, files, 'edited by the command line', 'cli');
  }

  emit(kind: ChangeKind, ids: string[], scope: Scope = 'account', origin = 'other'): void {
    const event = { seq: ++this.#seq, kind, ids, origin, scope };
    for (const listener of this.#listeners) listener(event);
  }

  #commit(skill: Skill, files: Map<string, SeedFile>, why: string | null, origin = 'window'): void {
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
    const changed = [...paths].flatMap((path): Revision['changed'] => {
      if (first || !before.has(path)) return [{ path, change: 'added' }];
      if (!files.has(path)) return [{ path, change: 'removed' }];
      return before.get(path)?.text === files.get(path)?.text ? [] : [{ path, change: 'modified' }];
    });
    skill.revisions.push({
      info: { number: summary.revision, created_at: summary.updated_at, actor: origin === 'cli' ? 'inklings (cli)' : 'local', why, changed },
      files: new Map(files),
    });
    queueMicrotask(() => this.emit('skill', [summary.id], summary.scope, origin));
  }

  #get(ref: { skill: string; scope?: Scope }): Skill {
    const skill = this.skills.find(
      ({ summary, deleted }) =>
        !deleted && (summary.id === ref.skill || summary.slug === ref.skill) && (!ref.scope || summary.scope === ref.scope),
    );
    if (!skill) throw fail('notFound', `no skill ${ref.skill}`);
    return skill;
  }

  #open(): boolean {
    return this.workspace !== null;
  }

  #summary({ summary }: Skill): SkillSummary {
    const twin = this.skills.some(
      (other) => !other.deleted && other.summary.slug === summary.slug && other.summary.scope !== summary.scope,
    );
    return { ...summary, shadows: twin && summary.scope === 'workspace', shadowed: twin && this.#open() && summary.scope === 'account' };
  }

  #entry(skill: Skill, path: string): FileEntry {
    const file = skill.files.get(path);
    if (!file) throw fail('notFound', `${skill.summary.slug} has no file ${path}`);
    const artifact = file.kind
      ? { id: `${skill.summary.id}/${path}`, kind: file.kind, name: file.name ?? path, ordinal: [...skill.files.keys()].indexOf(path), variant: file.variant ?? null, metadata: null }
      : null;
    return {
      path,
      size: sizeOf(file),
      sha256: createHash(file.text ?? `binary ${file.bytes ?? 0}`),
      executable: path.endsWith('.sh'),
      text: file.text !== null,
      role: file.role ?? (file.kind ? 'artifact' : 'file'),
      artifact,
      draft: this.drafts.has(this.#draftKey(skill, path)),
    };
  }

  #detail(skill: Skill): SkillDetail {
    const summary = this.#summary(skill);
    return {
      ...summary,
      entries: [...skill.files.keys()].map((path) => this.#entry(skill, path)),
      when_not_to_use: null,
      triggers: summary.tags.length > 0 ? ['are there any contradictions'] : [],
      intent_patterns: [],
      depends_on: [],
      conflicts_with: [],
      parent_skill_id: null,
      resolved: summary.shadows ? 'workspace overrides account' : summary.shadowed ? 'hidden by the workspace' : `from the ${summary.scope}`,
      diagnostics: [...skill.files].flatMap(([path, file]) => (file.text === null ? [] : this.#check(path, file.text))),
    };
  }

  #check(path: string, text: string): Diagnostic[] {
    const one = (rule: string, severity: Diagnostic['severity'], message: string, line: number, column = 1): Diagnostic => ({
      rule, severity, message, hint: null, file: path, line, column, end_line: null, end_column: null, pointer: null,
    });
    if (path.endsWith('.j2')) return diagnose(text).map((found) => ({ ...found, file: path }));
    if (path.endsWith('.json')) {
      try {
        JSON.parse(text);
      } catch (cause) {
        return [one('json/syntax', 'error', cause instanceof Error ? cause.message : 'invalid JSON', 1)];
      }
    }
    if (path === 'SKILL.md') {
      const line = text.split('\n').findIndex((row) => row.startsWith('description:')) + 1;
      if (line === 0) return [one('frontmatter/description', 'error', 'the frontmatter has no description', 1)];
      if ((text.split('\n')[line - 1] ?? '').length < 40) {
        return [{ ...one('frontmatter/short', 'warning', 'the description is short', line, 14), hint: 'Say what the skill does and when to use it' }];
      }
    }
    return [];
  }

  #draftKey(skill: Skill, path: string): string {
    return `${skill.summary.scope}:${skill.summary.id}/${path}`;
  }

  #edit(skill: Skill, expected: number, changes: Change[], why: string | null): EditResult {
    if (skill.summary.locked) throw fail('locked', `${skill.summary.name} is locked`, { hint: 'Duplicate to edit' });
    const base = skill.revisions.find((one) => one.info.number === expected)?.files ?? new Map<string, SeedFile>();
    for (const change of changes) {
      if (change.op !== 'write') continue;
      const theirs = skill.files.get(change.path)?.text ?? null;
      const before = base.get(change.path)?.text ?? null;
      if (expected !== skill.summary.revision && theirs !== before) {
        this.drafts.set(this.#draftKey(skill, change.path), this.#draft(skill, change.path, expected, change.text));
        throw fail('revisionConflict', `${change.path} was changed by someone else`, {
          fields: { path: change.path, revision: skill.summary.revision, base: before ?? '', theirs: theirs ?? '', mine: change.text },
        });
      }
    }
    const files = new Map(skill.files);
    for (const change of changes) {
      if (change.op === 'write') files.set(change.path, this.#declared(skill, change.path, change.text, changes));
      else if (change.op === 'delete') files.delete(change.path);
      else if (change.op === 'move') {
        const file = files.get(change.from);
        if (!file) throw fail('notFound', `no file ${change.from}`);
        files.delete(change.from);
        files.set(change.to, file);
      }
    }
    this.#commit(skill, files, why);
    const diagnostics = this.#detail(skill).diagnostics;
    return { skill: this.#detail(skill), revision: skill.summary.revision, rebased: expected !== skill.summary.revision - 1, diagnostics };
  }

  /** A new file that skill.json, written along with it, declares. */
  #declared(skill: Skill, path: string, text: string, changes: Change[]): SeedFile {
    const known = skill.files.get(path);
    if (known) return { ...known, text };
    const manifest = changes.find((change) => change.op === 'write' && change.path === 'skill.json');
    if (path === 'skill.json') return { text, role: 'manifest' };
    if (manifest?.op !== 'write') return { text };
    const { artifacts } = JSON.parse(manifest.text) as { artifacts: { path: string; kind: NonNullable<SeedFile['kind']>; name: string }[] };
    const entry = artifacts.find((one) => one.path === path);
    return entry ? { text, kind: entry.kind, name: entry.name } : { text };
  }

  #draft(skill: Skill, path: string, revision: number, text: string): Draft {
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

  #workspaceStatus(path: string): WorkspaceStatus {
    return { path, name: path.slice(path.lastIndexOf('/') + 1), writable: true, has_store: true, skills: 1, pages: 12, git_exclude_offer: false, banners: [] };
  }

  readonly #handlers: Handlers = {
    'app/status': () => ({
      version: '0.1.0',
      home: HOME,
      last_workspace: (this.settings['last_workspace'] as string | undefined) ?? null,
      workspace: this.workspace === null ? null : this.#workspaceStatus(this.workspace),
      banners: [],
      skills: this.skills.length,
      sample_workspace: '/home/ada/Inklings sample',
    }),
    'workspace/open': ({ path }) => {
      if (path.includes('missing')) throw fail('notFound', `there is no folder ${path}`, { hint: 'Check the path, or pick another folder' });
      this.settings['last_workspace'] = path;
      return this.#workspaceStatus(path);
    },
    'workspace/open_sample': () => this.#workspaceStatus('/home/ada/Inklings sample'),
    'workspace/close': () => ({}),
    'workspace/recent': () => ({
      workspaces: [
        { path: WORKSPACE, name: 'notes', opened_at: '2026-03-13T10:00:00Z', exists: true },
        { path: '/home/ada/code/tracker', name: 'tracker', opened_at: '2026-03-10T10:00:00Z', exists: true },
        { path: '/media/usb/old', name: 'old', opened_at: '2026-01-10T10:00:00Z', exists: false },
      ],
    }),
    'workspace/git_exclude': () => ({}),
    'path/complete': ({ prefix }) => {
      const all = ['/home', '/home/ada', '/home/ada/code', '/home/ada/code/tracker', WORKSPACE, '/home/ada/notes/img', '/tmp', '/usr'];
      const typed = prefix.replace(/^~/, '/home/ada');
      const parent = typed.slice(0, typed.lastIndexOf('/'));
      const entries = all
        .filter((path) => path.startsWith(typed) && path.slice(0, path.lastIndexOf('/')) === parent && path !== typed)
        .map((path) => ({ path, name: path.slice(path.lastIndexOf('/') + 1), skills: path === WORKSPACE }));
      return { entries, directory: all.includes(typed.replace(/\/$/, '')) };
    },
    'skill/list': ({ view }) => ({
      skills: this.skills
        .filter(({ summary, deleted }) => !deleted && (this.#open() || summary.scope === 'account'))
        .map((skill) => this.#summary(skill))
        .filter((summary) => view === 'all' || !summary.shadowed),
    }),
    'skill/get': (ref) => this.#detail(this.#get(ref)),
    'skill/create': ({ name, description, scope, content }) => {
      const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      if (this.skills.some((one) => !one.deleted && one.summary.slug === slug && one.summary.scope === (scope ?? 'account'))) {
        throw fail('exists', `there is a skill ${slug} already`, { hint: 'Choose another name' });
      }
      const text = `---\nname: ${slug}\ndescription: ${description}\n---\n\n${content ?? `# ${name}\n`}`;
      return this.#detail(this.add({ scope: scope ?? 'account', slug, name, description, files: { 'SKILL.md': { role: 'main', kind: 'description', name: 'Overview', text } } }));
    },
    'skill/edit': ({ expected, changes, why, ...ref }) => this.#edit(this.#get(ref), expected, changes, why ?? null),
    'skill/delete': (ref) => {
      const skill = this.#get(ref);
      skill.deleted = true;
      queueMicrotask(() => this.emit('skill', [skill.summary.id], skill.summary.scope, 'window'));
      return { id: skill.summary.id, revision: skill.summary.revision };
    },
    'skill/restore': ({ id }) => {
      const skill = this.skills.find((one) => one.summary.id === id);
      if (!skill) throw fail('notFound', 'the skill can’t be restored');
      skill.deleted = false;
      return this.#detail(skill);
    },
    'skill/fork': (ref) => {
      const from = this.#get(ref);
      const scope: Scope = this.#open() ? 'workspace' : 'account';
      const slug = scope === 'workspace' ? from.summary.slug : `${from.summary.slug}-copy`;
      const files = Object.fromEntries(from.files);
      return this.#detail(this.add({ scope, slug, name: from.summary.name, description: from.summary.description, files }));
    },
    'skill/enable': ({ enabled, ...ref }) => {
      const skill = this.#get(ref);
      skill.summary.enabled = enabled;
      return this.#summary(skill);
    },
    'skill/history': (ref) => ({ revisions: this.#get(ref).revisions.map((one) => one.info) }),
    'skill/revision': ({ number, path, ...ref }) => {
      const file = this.#get(ref).revisions.find((one) => one.info.number === number)?.files.get(path);
      if (!file) throw fail('notFound', `revision ${number} has no file ${path}`);
      return { text: file.text, sha256: createHash(file.text ?? '') };
    },
    'skill/rollback': ({ number, expected, ...ref }) => {
      const skill = this.#get(ref);
      if (expected !== undefined && expected !== skill.summary.revision) throw fail('revisionConflict', 'the skill was changed meanwhile');
      const target = skill.revisions.find((one) => one.info.number === number);
      if (!target) throw fail('notFound', `no revision ${number}`);
      this.#commit(skill, new Map(target.files), `rolled back to revision ${number}`);
      return { skill: this.#detail(skill), revision: skill.summary.revision, rebased: false, diagnostics: [] };
    },
    'skill/tokens': ({ edits, ...ref }) => {
      const skill = this.#get(ref);
      const files: Record<string, number> = {};
      for (const [path, file] of skill.files) files[path] = tokensIn(edits?.find((edit) => edit.path === path)?.text ?? file.text ?? '');
      const main = files['SKILL.md'] ?? 0;
      const all = Object.values(files).reduce((sum, count) => sum + count, 0);
      return { per_turn: tokensIn(skill.summary.description) + 6, on_load: main, on_demand: all - main, files, encoding: 'o200k_base' };
    },
    'skill/import': ({ paths, dry_run }) => {
      const at = paths[0] ?? '';
      const items: OutputOf<'skill/import'>['items'] = [
        { path: `${at}/pdf-forms`, slug: 'pdf-forms', name: 'PDF forms', status: 'new', revision: null, diagnostics: [] },
        { path: `${at}/link-auditor`, slug: 'link-auditor', name: 'Link Auditor', status: 'update', revision: 1, diagnostics: [] },
        {
          path: `${at}/broken`, slug: null, name: null, status: 'refused', revision: null,
          diagnostics: [{ rule: 'frontmatter/missing', severity: 'error', message: 'there is no frontmatter', hint: 'Start the file with ---', file: 'SKILL.md', line: 1, column: 1, end_line: null, end_column: null, pointer: null }],
        },
      ];
      if (!dry_run) this.add({ scope: 'account', slug: 'pdf-forms', name: 'PDF forms', description: 'Fills in PDF forms.', files: { 'SKILL.md': { role: 'main', kind: 'description', text: '---\nname: pdf-forms\ndescription: Fills in PDF forms that were sent to the user.\n---\n' } } });
      return { items };
    },
    'skill/export': ({ skills, out }) => ({ items: skills.map((id) => ({ slug: this.#get({ skill: id }).summary.slug, path: `${out}/${this.#get({ skill: id }).summary.slug}`, files: 3 })), diagnostics: [] }),
    'file/read': ({ path, ...ref }): FileContent => {
      const skill = this.#get(ref);
      const entry = this.#entry(skill, path);
      return { entry, revision: skill.summary.revision, text: skill.files.get(path)?.text ?? null, draft: this.drafts.get(this.#draftKey(skill, path)) ?? null };
    },
    'draft/save': ({ path, base_revision, text, ...ref }) => {
      const skill = this.#get(ref);
      const draft = this.#draft(skill, path, base_revision, text);
      this.drafts.set(this.#draftKey(skill, path), draft);
      queueMicrotask(() => this.emit('draft', [skill.summary.id], skill.summary.scope, 'window'));
      return { updated_at: draft.updated_at };
    },
    'draft/list': () => ({ drafts: [...this.drafts.values()] }),
    'draft/discard': ({ path, ...ref }) => {
      const skill = this.#get(ref);
      this.drafts.delete(this.#draftKey(skill, path));
      queueMicrotask(() => this.emit('draft', [skill.summary.id], skill.summary.scope, 'window'));
      return {};
    },
    'check/file': ({ path, text }) => ({ diagnostics: this.#check(path, text) }),
    'check/skill': (ref) => ({ diagnostics: this.#detail(this.#get(ref)).diagnostics }),
    'prompt/render': ({ path, text, params, ...ref }) => {
      const skill = this.#get(ref);
      const name = skill.files.get(path)?.name;
      const twins = [...skill.files].filter(([one, file]) => one === path || (name !== undefined && file.kind === 'prompt_template' && file.name === name));
      const source = (one: string): string => (one === path ? (text ?? skill.files.get(one)?.text ?? '') : (skill.files.get(one)?.text ?? ''));
      const all = new Map<string, Variable>();
      for (const variable of twins.flatMap(([one]) => variablesOf(source(one)))) {
        const fields = new Set([...(all.get(variable.name)?.fields ?? []), ...variable.fields]);
        all.set(variable.name, { ...variable, fields: [...fields] });
      }
      return {
        variables: [...all.values()],
        variants: twins.map(([one, file]) => {
          const result = render(source(one), params);
          return { variant: file.variant ?? null, path: one, selected: one === path, ...result, tokens: result.text === null ? null : tokensIn(result.text) };
        }),
      };
    },
    'input/list': ({ path, ...ref }) => ({ inputs: this.inputs.get(this.#draftKey(this.#get(ref), path)) ?? [] }),
    'input/save': ({ path, name, params, ...ref }) => {
      const key = this.#draftKey(this.#get(ref), path);
      const rest = (this.inputs.get(key) ?? []).filter((input) => input.name !== name);
      this.inputs.set(key, [...rest, { name, params: params satisfies Params, updated_at: new Date(this.now).toISOString() }]);
      return {};
    },
    'input/delete': ({ path, name, ...ref }) => {
      const key = this.#draftKey(this.#get(ref), path);
      this.inputs.set(key, (this.inputs.get(key) ?? []).filter((input) => input.name !== name));
      return {};
    },
    'settings/get': () => ({ values: this.settings }),
    'settings/set': ({ key, value }) => {
      this.settings[key] = value;
      return {};
    },
  };
}

function sizeOf(file: SeedFile): number {
  return file.bytes ?? new TextEncoder().encode(file.text ?? '').length;
}
