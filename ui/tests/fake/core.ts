// An in-memory core that follows the wire contract: for controller tests and for looking at the UI without the program.
import type { DropEvent, Platform, Progress } from '$lib/platform';
import type { ChangeEvent, Failure, Files, Input, OperationName, Prompt, RunEvent, Scope, SkillRef, WorkspaceStatus } from '$lib/api/generated';
import { FakeAccess } from './access';
import { FakeActions } from './actions';
import { bytesOf } from './bytes';
import { FakeChats } from './chats';
import { FakeClients } from './clients';
import { FakeDatabases } from './databases';
import { FakeDeleted } from './deleted';
import { FakeEvals } from './evals';
import { FakeExports } from './exports';
import { findNames } from './names';
import { FakeHistory, fileOf } from './history';
import { FakeImports } from './imports';
import { FakeLibrary } from './library';
import { readinessOf } from './manifests';
import { FakeMarketplace } from './marketplace';
import { FakePages } from './pages';
import { FakePrograms, MANIFEST } from './programs';
import { FakePublishing } from './publishing';
import { FakeProposals } from './proposals';
import { FakeReferences } from './references';
import { render, variablesOf } from './render';
import { FakeRuns } from './runs';
import { SCRIPT_FUNCTIONS } from './scripts';
import { type Seed, SEEDS } from './seed';
import { fail, FakeStore, type Handlers } from './store';
import { FakeSymbols } from './symbols';
import { FakeTargets } from './targets';
import { FakeTexts } from './texts';
import { FakeLog } from './log';
import { FakeWindow } from './window';
import { FakeWorkspaces } from './workspaces';
import { FakeTree } from './tree';

export { fail };

export interface Call {
  name: string;
  params: Record<string, unknown>;
}

export const HOME = '/home/ada/.inklings';
export const WORKSPACE = '/home/ada/notes';
const tokensIn = (text: string): number => Math.ceil(text.length / 4);

export class FakeCore extends FakeStore implements Platform {
  readonly calls: Call[] = [];
  readonly settings: Record<string, unknown> = {};
  readonly inputs = new Map<string, Input.InputEntry[]>();
  readonly runs = new FakeRuns(this, (ref) => this.get({ skill: ref.skill, scope: ref.scope ?? null }));
  readonly pages = new FakePages(this);
  readonly references = new FakeReferences(this, this.pages);
  readonly programs = new FakePrograms(this, this.runs);
  readonly texts = new FakeTexts(this, (skill, files) => this.commit(skill, files, 'replaced'));
  readonly targets = new FakeTargets(this);
  readonly exports = new FakeExports((skill) => this.get({ skill }));
  readonly imports = new FakeImports(this, this.targets);
  readonly library = new FakeLibrary({
    all: () => this.skills.filter(({ summary, deleted }) => !deleted && (this.open() || summary.scope === 'account')).map((skill) => ({ ...this.summary(skill), last_used_at: null, runs: 0, estimated_cost: null, unpriced: 0, badges: [] })),
    get: (ref) => this.get(ref),
    detail: (skill) => this.detail(skill),
    touch: (skill, why) => this.commit(skill, skill.files, why),
    changed: ({ summary }) => queueMicrotask(() => this.emit('skill', [summary.id], summary.scope, 'window')),
  });
  readonly history = new FakeHistory(this, { get: (ref) => this.get(ref), write: (skill, files, why) => this.write(skill, files, why) });
  readonly actions = new FakeActions(this, (params) => this.runs.start(params));
  readonly access = new FakeAccess(() => new Date(this.now).toISOString(), () => this.workspace);
  readonly aiClients = new FakeClients(() => this.workspace);
  readonly chats = new FakeChats(this);
  readonly proposals = new FakeProposals(this, this.programs, { get: (skill) => this.get({ skill }), write: (skill, files, why) => this.write(skill, files, why) });
  readonly marketplace = new FakeMarketplace(this, this.proposals, { get: (skill) => this.get({ skill }), commit: (skill, files, why) => this.commit(skill, files, why) });
  readonly publishing = new FakePublishing(this, { get: (ref) => this.get(ref), commit: (skill, files, why) => this.commit(skill, files, why), diagnostics: (skill) => this.detail(skill).diagnostics, isCanceled: () => this.#stopped.has(this.#call) });
  readonly tree = new FakeTree(this, {
    get: (ref) => this.get({ skill: ref.skill, scope: ref.scope ?? null }),
    summary: (skill) => this.summary(skill),
    detail: (skill) => this.detail(skill),
    write: (skill, files, why) => this.write(skill, files, why),
  });
  readonly evals = new FakeEvals(this, this.runs, { get: (ref) => this.get({ skill: ref.skill, scope: ref.scope ?? null }), write: (skill, files, why) => this.write(skill, files, why), isCanceled: () => this.#stopped.has(this.#call), propose: (slug, text) => this.proposals.compose({ 'SKILL.md': text }, slug).id });
  readonly deleted = new FakeDeleted(this, (skill) => this.detail(skill));
  readonly symbols = new FakeSymbols({ get: (ref) => this.get({ skill: ref.skill, scope: ref.scope ?? null }), write: (skill, files, why) => this.write(skill, files, why) });
  readonly databases = new FakeDatabases((kind, scope) => this.emit(kind, [], scope, 'window'));
  readonly workspaces: FakeWorkspaces = new FakeWorkspaces((path) => this.#workspaceStatus(path), () => queueMicrotask(() => this.emit('workspace', [], 'account', 'window')));
  readonly window = new FakeWindow();
  readonly log = new FakeLog();
  title = '';
  clipboard = '';
  /** Set to make the next calls of an operation fail, or to hold its replies back until `release`. */
  readonly failing = new Map<string, Failure>();
  readonly held = new Map<string, (() => void)[]>();
  latency = 0;
  /** Drags files of the desktop over the window. */
  dropDesktop: (event: DropEvent) => void = () => undefined;
  /** Who hears how far the watched calls are, by their operation. */
  readonly #hearing = new Map<string, (progress: Progress) => void>();
  readonly #stopped = new Set<string>();
  #call = '';
  /** Why no script can run. */
  sandboxProblem: string | null = null;

  addInput(skill: SkillRef, path: string, input: Input.InputEntry): Record<string, never> {
    const key = this.draftKey(this.get(skill), path);
    this.inputs.set(key, [...(this.inputs.get(key) ?? []).filter((one) => one.name !== input.name), input]);
    return {};
  }

  constructor(seeds: readonly Seed[] = SEEDS) {
    super();
    for (const seed of seeds) this.add(seed);
  }

  rpc(name: string, params: unknown, workspace: string | null): Promise<unknown> {
    return this.#answer(name, params, workspace, '');
  }

  async rpcWithProgress(name: string, params: unknown, workspace: string | null, call: string, onProgress: (progress: Progress) => void): Promise<unknown> {
    this.#hearing.set(name, onProgress);
    // A stop that comes with the call is heard by it.
    await Promise.resolve();
    try {
      return await this.#answer(name, params, workspace, call);
    } finally {
      this.#hearing.delete(name);
    }
  }

  /** A call that is held back goes on, and says what it did until then. */
  rpcCancel(call: string): Promise<void> {
    this.#stopped.add(call);
    return Promise.resolve();
  }

  async #answer(name: string, params: unknown, workspace: string | null, call: string): Promise<unknown> {
    this.calls.push({ name, params: params as Record<string, unknown> });
    this.workspace = workspace;
    const gate = this.held.get(name);
    if (gate) await new Promise<void>((resolve) => gate.push(resolve));
    if (this.latency > 0) await new Promise((resolve) => setTimeout(resolve, this.latency));
    const failure = this.failing.get(name);
    if (failure) throw failure;
    const handler = this.#handlers[name as keyof Handlers] as ((params: unknown) => unknown) | undefined;
    if (!handler) throw fail('unknownOperation', `no operation ${name}`);
    this.#call = call;
    return structuredClone(handler(params));
  }

  onChanges(listener: (event: ChangeEvent) => void): Promise<() => void> {
    this.listeners.add(listener);
    return Promise.resolve(() => this.listeners.delete(listener));
  }

  onRun(listener: (event: RunEvent) => void): Promise<() => void> {
    this.runs.listeners.add(listener);
    return Promise.resolve(() => this.runs.listeners.delete(listener));
  }

  onChat = (listener: Parameters<Platform['onChat']>[0]): Promise<() => void> => this.chats.listen(listener);
  onDrop(listener: (event: DropEvent) => void): Promise<() => void> {
    this.dropDesktop = listener;
    return Promise.resolve(() => (this.dropDesktop = () => undefined));
  }

  setTitle(title: string): void {
    this.title = title;
  }

  pasteText = (): Promise<string | null> => Promise.resolve(this.clipboard);
  openAddress = (): Promise<void> => Promise.resolve();
  openFolder = (): Promise<void> => Promise.resolve();

  copyText(text: string): Promise<void> {
    this.clipboard = text;
    return Promise.resolve();
  }

  // For tests

  callsOf(name: OperationName): Record<string, unknown>[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.params);
  }

  /** Says how far the watched call of an operation is. */
  far(name: OperationName, done: number, total: number | null): void {
    this.#hearing.get(name)?.({ done, total });
  }

  /** Whether someone asked a watched call to stop. */
  get stops(): number {
    return this.#stopped.size;
  }

  hold(name: OperationName): void {
    this.held.set(name, []);
  }

  release(name: OperationName): void {
    const waiting = this.held.get(name) ?? [];
    this.held.delete(name);
    for (const go of waiting) go();
  }

  readonly #workspaceStatus = (path: string): WorkspaceStatus => ({ path, name: path.slice(path.lastIndexOf('/') + 1), writable: true, has_store: true, skills: 1, pages: 12, trusted: this.runs.trusted, git_exclude_offer: false, banners: [] });

  readonly #handlers: Handlers = {
    'app/diagnostics': () => ({ text: 'Inklings Skill Studio 0.1.0\nLog: none\n' }),
    'log/read': ({ after }) => this.log.after(after ?? 0),
    'log/report': ({ level, message }) => {
      this.log.add(level, message, 'inklings_window');
      return { logged: true };
    },
    'app/status': () => ({
      version: '0.1.0',
      home: HOME,
      user_home: '/home/ada',
      origin: 'window',
      workspace: this.workspace === null ? null : this.#workspaceStatus(this.workspace),
      banners: [],
      skills: this.skills.length,
      sample_workspace: '/home/ada/Inklings sample',
    }),
    'workspace/open': (params) => this.workspaces.open(params),
    'workspace/open_sample': () => this.#workspaceStatus('/home/ada/Inklings sample'),
    'workspace/recent': () => this.workspaces.recent(),
    'workspace/forget': (params) => this.workspaces.forget(params),
    'db/check': () => this.databases.check(),
    'db/backup': (params) => this.databases.backUp(params),
    'db/restore': (params) => this.databases.restore(params),
    'workspace/git_exclude': () => ({}),
    'path/complete': ({ prefix, packages }) => {
      const all = ['/home', '/home/ada', '/home/ada/code', '/home/ada/code/tracker', WORKSPACE, '/home/ada/notes/img', '/home/ada/one.skill', '/tmp', '/usr'];
      const typed = prefix.replace(/^~/, '/home/ada');
      const parent = typed.slice(0, typed.lastIndexOf('/'));
      const entries = all
        .filter((path) => path.startsWith(typed) && path.slice(0, path.lastIndexOf('/')) === parent && path !== typed)
        .map((path) => ({ path, name: path.slice(path.lastIndexOf('/') + 1), skills: path === WORKSPACE, file: path.endsWith('.skill') }))
        .filter(({ file }) => !file || packages === true);
      return { entries, path: typed, complete: all.includes(typed.replace(/\/$/, '')) && (packages === true || !typed.endsWith('.skill')) };
    },
    'skill/list': ({ view }) => ({
      skills: this.skills
        .filter(({ summary, deleted }) => !deleted && (this.open() || summary.scope === 'account'))
        .map((skill) => this.summary(skill))
        .filter((summary) => view === 'all' || !summary.shadowed),
    }),
    'file/find': (params) => {
      const shown = this.skills.filter(({ summary, deleted }) => !deleted && (this.open() || summary.scope === 'account'));
      return findNames(shown, (skill) => this.summary(skill), params);
    },
    'skill/tree': (params) => this.tree.page(params),
    'skill/revert': (params) => this.tree.revert(params),
    'skill/move': (params) => this.tree.move(params),
    'skill/duplicate': (params) => this.tree.duplicate(params),
    'file/copy': (params) => this.tree.copy(params),
    'file/add': (params) => this.tree.addFiles(params),
    'path/status': (params) => this.tree.pathStatus(params),
    'skill/get': (ref) => this.detail(this.get(ref)),
    'artifact/declare': ({ kind, name, path, text, ...ref }) => {
      const skill = this.get(ref);
      const target = path ?? `prompts/${name}.j2`;
      const files = new Map(skill.files);
      files.set(target, { text: text ?? 'Say what matters in {{ text }}\n', ...files.get(target), kind, name });
      return this.write(skill, files, `declared ${kind} "${name}"`);
    },
    'artifact/undeclare': ({ path, ...ref }) => {
      const skill = this.get(ref);
      const files = new Map(skill.files);
      files.set(path, { text: files.get(path)?.text ?? '' });
      return this.write(skill, files, `undeclared ${path}`);
    },
    'file/delete': ({ paths, ...ref }) => {
      const skill = this.get(ref);
      const files = new Map(skill.files);
      for (const path of paths) if (!files.delete(path)) throw fail('notFound', `no file ${path}`);
      return this.write(skill, files, `deleted ${paths.join(', ')}`);
    },
    'file/move': ({ moves, ...ref }) => {
      const skill = this.get(ref);
      const files = new Map(skill.files);
      for (const { from, to } of moves) {
        const file = files.get(from);
        if (!file) throw fail('notFound', `no file ${from}`);
        files.delete(from);
        files.set(to, file);
      }
      return this.write(skill, files, 'renamed');
    },
    'skill/create': ({ name, description, scope, content }) => {
      const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      if (this.skills.some((one) => !one.deleted && one.summary.slug === slug && one.summary.scope === (scope ?? 'account'))) {
        throw fail('exists', `there is a skill ${slug} already`, { hint: 'Choose another name' });
      }
      const text = `---\nname: ${slug}\ndescription: ${description ?? ''}\n---\n\n${content ?? `# ${name}\n`}`;
      return this.detail(this.add({ scope: scope ?? 'account', slug, name, description: description ?? '', files: { 'SKILL.md': { role: 'main', kind: 'description', name: 'Overview', text } } }));
    },
    'skill/edit': ({ expected, changes, why, ...ref }) => this.edit(this.get(ref), expected, changes, why ?? 'saved'),
    'skill/delete': (ref) => this.deleted.remove(this.get(ref)),
    'skill/deleted': () => this.deleted.list(),
    'skill/deleted_files': (params) => this.deleted.content(params),
    'skill/deleted_file': (params) => this.deleted.file(params),
    'skill/restore': (params) => this.deleted.restore(params),
    'skill/fork': (ref) => {
      const from = this.get(ref);
      const scope: Scope = this.open() ? 'workspace' : 'account';
      const slug = scope === 'workspace' ? from.summary.slug : `${from.summary.slug}-copy`;
      const files = Object.fromEntries(from.files);
      return this.detail(this.add({ scope, slug, name: from.summary.name, description: from.summary.description, files }));
    },
    'skill/enable': ({ enabled, ...ref }) => {
      const skill = this.get(ref);
      skill.summary.enabled = enabled;
      return this.summary(skill);
    },
    ...this.library.lifecycleHandlers,
    'skill/history': (params) => this.history.list(params),
    'skill/revision': ({ number, path, ...ref }) => fileOf(this.get(ref).revisions.find((one) => one.info.number === number)?.files.get(path)),
    'skill/restore_files': (params) => this.history.restore(params),
    'compare/files': (params) => this.history.compare(params),
    'compare/texts': (params) => this.history.texts(params),
    'skill/locations': (params) => this.history.locations(params),
    'skill/rollback': ({ number, expected, ...ref }) => {
      const skill = this.get(ref);
      if (expected !== undefined && expected !== skill.summary.revision) throw fail('revisionConflict', 'the skill was changed meanwhile');
      const target = skill.revisions.find((one) => one.info.number === number);
      if (!target) throw fail('notFound', `no revision ${number}`);
      const before = skill.summary.revision;
      this.commit(skill, new Map(target.files), `rolled back to revision ${number}`);
      return { skill: this.detail(skill), revision: skill.summary.revision, before, rebased: false, diagnostics: [] };
    },
    'skill/tokens': ({ edits, ...ref }) => {
      const skill = this.get(ref);
      const files: Record<string, number> = {};
      for (const [path, file] of skill.files) files[path] = tokensIn(edits?.find((edit) => edit.path === path)?.text ?? file.text ?? '');
      const main = files['SKILL.md'] ?? 0;
      const all = Object.values(files).reduce((sum, count) => sum + count, 0);
      return { per_turn: tokensIn(skill.summary.description) + 6, on_load: main, on_demand: all - main, files, encoding: 'o200k_base' };
    },
    'skill/import': (params) => this.imports.import(params, this.#stopped.has(this.#call)),
    'import/file': (params) => this.imports.file(params), 'import/fetch': (params) => this.imports.fetch(params), 'import/source': () => this.imports.source(),
    'check/folders': ({ paths }) => ({ skills: paths.map((path) => ({ path, ok: true, diagnostics: [] })), diagnostics: [], stopped: false }),
    'skill/export': (params) => this.exports.write(params),
    'file/read': ({ path, ...ref }): Files.FileContent => {
      const skill = this.get(ref);
      const entry = this.entry(skill, path);
      return { entry, revision: skill.summary.revision, text: skill.files.get(path)?.text ?? null, draft: this.drafts.get(this.draftKey(skill, path)) ?? null };
    },
    'file/bytes': ({ path, limit, ...ref }) => {
      const skill = this.get(ref);
      return bytesOf(this.entry(skill, path), skill.files.get(path)?.text ?? null, skill.summary.revision, limit ?? 16 * 1024 * 1024);
    },
    'draft/save': ({ path, base_revision, text, ...ref }) => {
      const skill = this.drafted(ref);
      const draft = this.draft(skill, path, base_revision, text);
      this.drafts.set(this.draftKey(skill, path), draft);
      queueMicrotask(() => this.emit('draft', [skill.summary.id], skill.summary.scope, 'window'));
      return { updated_at: draft.updated_at };
    },
    'draft/get': (params) => {
      const skill = this.drafted(params);
      return { drafts: [...this.drafts.values()].filter((draft) => draft.skill_id === skill.summary.id && draft.scope === skill.summary.scope) };
    },
    'draft/list': () => ({ drafts: [...this.drafts.values()].map(({ skill_id, scope, path, updated_at }) => ({ skill_id, scope, path, updated_at })) }),
    'draft/discard': ({ path, updated_at, ...ref }) => {
      const skill = this.drafted(ref);
      if (updated_at == null || this.drafts.get(this.draftKey(skill, path))?.updated_at === updated_at) this.drafts.delete(this.draftKey(skill, path));
      queueMicrotask(() => this.emit('draft', [skill.summary.id], skill.summary.scope, 'window'));
      return {};
    },
    'check/file': ({ path, text, ...ref }) => {
      const diagnostics = this.check(path, text);
      const { locked } = this.get(ref).summary;
      return { diagnostics, fixes: locked ? [] : diagnostics.flatMap((one, finding) => this.fixesFor(path, text, one).map((fix) => ({ finding, ...fix }))) };
    },
    'check/fixes': ({ path, text, rule, line, ...ref }) => {
      const skill = this.get(ref);
      const whole = text ?? skill.files.get(path)?.text ?? '';
      const found = this.check(path, whole).filter((one) => (rule == null || one.rule === rule) && (line == null || one.line === line));
      return { fixes: skill.summary.locked ? [] : found.flatMap((one) => this.fixesFor(path, whole, one)), text: whole, locked: skill.summary.locked };
    },
    'check/all': ({ from, limit, only, least }) => {
      const rank = { error: 0, warning: 1, info: 2, hint: 3 };
      const all = this.skills.filter((one) => !one.deleted && (one.summary.scope === 'account' || this.open()));
      const begin = from?.after == null ? 0 : Number(from.after);
      const part = only ? all.filter(({ summary }) => summary.scope === only.scope && only.ids.includes(summary.id)) : all.slice(begin, begin + (limit ?? 200));
      const end = begin + part.length;
      const skills = part.flatMap((skill) => {
        const found = this.detail(skill).diagnostics;
        const count = (severity: string): number => found.filter((one) => one.severity === severity).length;
        const counts = { errors: count('error'), warnings: count('warning'), infos: count('info'), hints: count('hint') };
        const diagnostics = found.filter((one) => rank[one.severity] <= rank[least ?? 'warning']);
        const { id, scope, revision } = skill.summary;
        return diagnostics.length > 0 ? [{ id, scope, revision, counts, diagnostics }] : [];
      });
      return { skills, checked: part.length, total: all.length, next: only || end >= all.length ? null : { scope: 'account', after: String(end) } };
    },
    'check/skill': (ref) => ({ diagnostics: this.detail(this.get(ref)).diagnostics }),
    'prompt/render': ({ path, text, params, ...ref }) => {
      const skill = this.get(ref);
      const name = skill.files.get(path)?.name;
      const twins = [...skill.files].filter(([one, file]) => one === path || (name !== undefined && file.kind === 'prompt_template' && file.name === name));
      const source = (one: string): string => (one === path ? (text ?? skill.files.get(one)?.text ?? '') : (skill.files.get(one)?.text ?? ''));
      const all = new Map<string, Prompt.Variable>();
      for (const variable of twins.flatMap(([one]) => variablesOf(source(one)))) {
        const fields = new Set([...(all.get(variable.name)?.fields ?? []), ...variable.fields]);
        all.set(variable.name, { ...variable, fields: [...fields] });
      }
      return {
        variables: [...all.values()],
        variants: twins.map(([one, file]) => {
          const result = render(source(one), params ?? {});
          return { variant: file.variant ?? null, path: one, selected: one === path, ...result, system: '', examples: [], tokens: result.text === null ? null : tokensIn(result.text) };
        }),
      };
    },
    'input/list': ({ path, ...ref }) => ({ inputs: this.inputs.get(this.draftKey(this.get(ref), path)) ?? [] }),
    'input/save': ({ path, name, params, ...ref }) => this.addInput(ref, path, { name, params, updated_at: new Date(this.now).toISOString(), example: null }),
    'input/delete': ({ path, name, ...ref }) => {
      const key = this.draftKey(this.get(ref), path);
      this.inputs.set(key, (this.inputs.get(key) ?? []).filter((input) => input.name !== name));
      return {};
    },
    'workspace/trust': ({ trusted, path }) => {
      if (path != null) return this.workspaces.trust(path, trusted);
      this.runs.trusted = trusted;
      return {};
    },
    ...this.pages.handlers(),
    ...this.references.handlers((ref) => this.get(ref)),
    'run/plan': (params) => this.runs.plan(params),
    'run/start': (params) => this.runs.start(params),
    'run/cancel': ({ run }) => {
      this.runs.cancelled.add(run);
      return {};
    },
    'run/replay': (params) => this.runs.replay(params),
    'run/list': (params) => this.runs.list(params),
    'run/get': ({ run }) => this.runs.run(run),
    'run/decide': (params) => this.runs.decide(params),
    'run/delete': ({ runs }) => ({ traces: this.runs.remove(runs) }),
    'trace/list': (params) => this.runs.tracesOf(params),
    'trace/get': ({ trace }) => this.runs.get(trace),
    'trace/stats': (params) => ({ rows: this.runs.stats(params) }),
    'trace/export': (params) => {
      this.runs.exported.push(params);
      return { lines: this.runs.traces.length, out: params.out ?? null, text: null };
    },
    'model/list': () => this.runs.setup(),
    'model/put': (params) => this.runs.put(params),
    'model/remove': ({ name }) => {
      this.runs.providers.splice(this.runs.providers.indexOf(this.runs.provider(name)), 1);
      if (this.runs.default?.startsWith(`${name}/`)) this.runs.default = null;
      return {};
    },
    'model/set_default': ({ model }) => {
      this.runs.default = model ?? null;
      return {};
    },
    'model/set_key': ({ name, key }) => {
      const provider = this.runs.provider(name);
      provider.key_state = key ? 'stored' : 'missing';
      return { key_state: provider.key_state };
    },
    'model/offered': ({ name }) => ({ models: [...this.runs.provider(name).models, 'claude-opus'], failure: null }),
    'model/test': ({ target }) => ({ ok: true, model: target, reply: 'ok', milliseconds: 812, usage: { input_tokens: 9, output_tokens: 1, cached_tokens: null }, cost: 0.00004 }),
    'model/discover': () => ({ servers: [{ kind: 'ollama', base_url: 'http://127.0.0.1:11434', models: ['llama3.2'] }] }),
    'program/status': () => this.programs.status,
    'program/manifest': () => this.programs.manifest(),
    'program/retry': () => this.programs.retry(),
    'optimize/examples': () => this.programs.found,
    'optimize/start': (params) => this.programs.optimize(params),
    'optimize/repeat': (params) => this.programs.optimize(params),
    'optimize/outdated': () => ({ dspy: MANIFEST.dspy, artifacts: this.programs.outdated }),
    ...this.proposals.handlers, ...this.evals.handlers, ...this.actions.handlers, ...this.aiClients.handlers, ...this.access.handlers, ...this.marketplace.handlers, ...this.publishing.handlers,
    'manifest/readiness': (ref) => readinessOf(this.get(ref).files),
    'manifest/page_skills': () => ({ declared: false, skills: [] }),
    'script/functions': () => ({ module: 'inklings', unavailable: this.sandboxProblem, functions: SCRIPT_FUNCTIONS }),
    'text/search': (params) => this.texts.search(params),
    'text/replace': (params) => this.texts.replace(params),
    'link/list': () => ({ links: [], git: null }), 'link/sync': () => ({ links: [], git: null }),
    'link/add': ({ folder, scope }) => ({ id: 'linked', scope: scope ?? 'account', folder, agent: null, agent_name: null, problem: null, is_stored: true }),
    'link/remove': ({ skill }) => ({ id: skill, scope: 'account', folder: '/home/ann', agent: null, agent_name: null, problem: null, is_stored: true }),
    'target/list': () => this.targets.list(),
    ...this.targets.deployments.operations,
    'library/list': (params) => this.library.list(params), 'search/skills': () => this.library.matches, 'search/status': () => this.library.searchStatus, ...this.chats.handlers,
    'library/keys': (params) => this.library.keys(params), 'library/seek': (params) => this.library.seek(params), 'library/stats': () => this.library.stats(),
    'library/card': (ref) => this.library.card(ref),
    'library/apply': (params) => this.library.apply(params),
    'library/undo': (params) => this.library.undo(params, (id) => this.skills.find((one) => one.summary.id === id)),
    'skill/describe': (params) => this.library.describe(params),
    'symbol/at': (params) => this.symbols.at(params), 'symbol/uses': (params) => this.symbols.uses(params), 'symbol/names': (params) => this.symbols.names(params),
    'symbol/language': () => this.symbols.language(),
    'symbol/rename_preview': (params) => this.symbols.renamePreview(params), 'symbol/rename': (params) => this.symbols.rename(params),
    'settings/get': () => ({ values: this.settings }),
    'settings/set': ({ key, value }) => {
      this.settings[key] = value;
      return {};
    },
  };
}
