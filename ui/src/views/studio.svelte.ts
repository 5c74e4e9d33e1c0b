import { Catalog, Client, Feed, Models, Scripts, Settings, type SkillKey } from '$lib/api';
import { Commands } from '$lib/commands';
import { MenuState, Toasts } from '$lib/components';
import { pathFrom, plural } from '$lib/domain';
import { Actions, Importer, mainOf } from '$lib/features/actions';
import { type Document, EditorState, type Goal as EditorGoal, type Tab, Tabs } from '$lib/features/editor';
import { Info, Preview } from '$lib/features/inspector';
import { ModelPick, ModelSettings } from '$lib/features/models';
import { FolderPick, QuickOpen, type Goal } from '$lib/features/palette';
import { Problems, type Problem } from '$lib/features/problems';
import type { RunTarget } from '$lib/features/run';
import { type SettingsSection, Theme } from '$lib/features/settings';
import { type Row, Tree } from '$lib/features/tree';
import { Workspace } from '$lib/features/workspace';
import type { Platform } from '$lib/platform';
import type { Failure, ModelRef, Revision, Scope, SkillSummary, Trace } from '$lib/wire';
import { AgentsDoor } from './agentsDoor.svelte';
import { commandsOf } from './commands';
import { compareRevision } from './compareRevision';
import { DspyDoor } from './dspyDoor.svelte';
import { Layout } from './layout.svelte';
import { rowMenu, tabMenu } from './menus';
import type { FolderRequest, Overlay } from './overlay';
import { PagesDoor } from './pagesDoor.svelte';
import { Running } from './running.svelte';
import { RunsPlace } from './runsPlace.svelte';
import { SearchDoor } from './searchDoor.svelte';

/** The whole window: makes the parts, and connects what one of them reports with what another does. */
export class Studio {
  readonly platform: Platform;
  readonly client: Client;
  readonly feed = new Feed();
  readonly settings: Settings;
  readonly scripts: Scripts;
  readonly catalog: Catalog;
  readonly commands = new Commands();
  readonly toasts = new Toasts();
  readonly contextMenu = new MenuState();
  readonly layout: Layout;
  readonly theme: Theme;
  readonly editor: EditorState;
  readonly tabs: Tabs;
  readonly tree: Tree;
  readonly problems: Problems;
  readonly preview: Preview;
  readonly info: Info;
  readonly quick: QuickOpen;
  readonly folders: FolderPick;
  readonly actions: Actions;
  readonly importer: Importer;
  readonly workspace: Workspace;
  readonly models: Models;
  readonly modelSettings: ModelSettings;
  readonly modelPick: ModelPick;
  readonly running: Running;
  readonly runsPlace: RunsPlace;
  readonly pages = new PagesDoor(this);
  readonly search = new SearchDoor(this);
  readonly dspy: DspyDoor;
  readonly agents: AgentsDoor;
  settingsSection = $state<SettingsSection>('general');
  overlay = $state<Overlay | null>(null);
  folderRequest = $state.raw<FolderRequest | null>(null);
  started = $state(false);
  recentCommands = $state.raw<string[]>([]);
  #recentFiles: string[] = [];
  #modelChosen: (model: ModelRef) => unknown = () => undefined;

  constructor(platform: Platform) {
    this.platform = platform;
    this.client = new Client(platform);
    this.settings = new Settings(this.client, this.feed);
    this.scripts = new Scripts(this.client);
    this.editor = new EditorState(() => this.scripts.functions());
    this.catalog = new Catalog(this.client, this.feed);
    this.layout = new Layout(this.settings);
    this.theme = new Theme(this.settings);
    this.tabs = new Tabs(this.client, this.catalog, this.settings);
    this.tree = new Tree(this.catalog, {
      open: (key, path, options) => this.openFile(key, path, options),
      menu: (row, at) => this.contextMenu.show(at, 'Actions', rowMenu(this, row)),
      create: (scope) => (this.actions.dialog = { kind: 'newSkill', scope }),
      rename: (row) => this.renameRow(row),
      remove: (row) => this.deleteRow(row),
    });
    this.problems = new Problems(this.catalog, {
      files: () =>
        this.tabs.documents
          .filter((document) => document.status === 'ready' && document.saved !== null)
          .map(({ scope, skillId, path, diagnostics }) => ({ scope, id: skillId, path, diagnostics })),
      show: (problem) => this.showProblem(problem),
    });
    this.preview = new Preview(this.client, this.feed);
    this.info = new Info(this.client);
    this.quick = new QuickOpen(this.catalog, () => this.#recentFiles);
    this.folders = new FolderPick(this.client);
    this.actions = new Actions(this.client, this.catalog, this.toasts, {
      open: (key, path) => this.openFile(key, path),
      moved: (key, from, to) => this.tabs.moved(key, from, to),
      closed: (key, path) => this.tabs.closeOf(key, path),
      isDirty: ({ scope, id }, path) => this.tabs.documentOf({ scope, skillId: id, path })?.dirty ?? false,
    });
    this.importer = new Importer(this.client, this.catalog);
    this.workspace = new Workspace(
      this.client,
      this.feed,
      () => this.tabs.keepAll(),
      () => this.#workspaceChanged(),
    );
    this.models = new Models(this.client, this.feed);
    this.modelSettings = new ModelSettings(this.client, this.models);
    this.modelPick = new ModelPick(this.models);
    this.running = new Running(this.client, this.feed, this.models, this.settings, this.preview, {
      document: () => (this.tabs.document?.status === 'ready' ? this.tabs.document : null),
      skill: () => this.skill,
      save: (target) => this.saveForRun(target),
      trust: () => this.workspace.askTrust('Trust and run'),
    });
    this.runsPlace = new RunsPlace(this.client, this.feed);
    this.dspy = new DspyDoor(this);
    this.agents = new AgentsDoor(this);
    this.commands.add(commandsOf(this));
  }

  async start(): Promise<void> {
    await this.feed.start(this.platform, () => this.client.workspace).catch((cause: unknown) => {
      this.actions.report('Changes made elsewhere won’t be noticed', cause);
    });
    await this.settings.load();
    void this.models.load();
    await this.workspace.start();
    this.started = true;
  }

  /** The skill of the file in front, else the one that the tree's cursor is on. */
  get skill(): SkillSummary | null {
    const document = this.tabs.document;
    if (document) return this.skillOf(document) ?? null;
    return this.tree.skill;
  }

  skillOf(document: Document): SkillSummary | undefined {
    return this.catalog.summary({ scope: document.scope, id: document.skillId });
  }

  frozenOf(document: Document): string | null {
    const frozen = document.scope === 'workspace' && this.workspace.current?.writable === false;
    return frozen ? 'This workspace’s folder can’t be written to, so its skills are read-only.' : null;
  }

  openFile(key: SkillKey, path: string, options: { preview?: boolean; focus?: boolean; at?: EditorGoal } = {}): void {
    this.layout.view = 'studio';
    this.tabs.open({ scope: key.scope, skillId: key.id, path }, options);
    if (options.focus !== false) this.tree.reveal(key, path);
    const file = `${key.scope}:${key.id}/${path}`;
    this.#recentFiles = [file, ...this.#recentFiles.filter((one) => one !== file)].slice(0, 30);
  }

  async openSkill(key: SkillKey): Promise<void> {
    const detail = await this.catalog.load(key);
    if (detail) this.openFile(key, mainOf(detail));
    else this.actions.report('Couldn’t open the skill', this.catalog.detailFailure(key));
  }

  openGoal(goal: Goal): void {
    this.overlay = null;
    if (goal.entry) this.openFile(goal.key, goal.entry.path);
    else void this.openSkill(goal.key);
  }

  showOverlay(overlay: Overlay): void {
    if (overlay === 'quick') this.quick.start();
    this.overlay = overlay;
  }

  /** Asks for a folder, by typing or with the system's dialog. */
  askFolder(request: FolderRequest, from = ''): void {
    this.folderRequest = request;
    void this.folders.start(from);
    this.overlay = 'folder';
  }

  async chooseFolder(path: string): Promise<void> {
    const request = this.folderRequest;
    const failure = await request?.done(path);
    // Someone closed it meanwhile, or asked for something else.
    if (this.folderRequest !== request) return;
    if (failure) this.folders.failure = failure;
    else this.closeOverlay();
  }

  closeOverlay(): void {
    this.overlay = null;
    this.folderRequest = null;
  }

  async browse(): Promise<void> {
    const request = this.folderRequest;
    try {
      const path = await this.platform.pickFolder?.(request?.title ?? 'Choose a folder');
      if (path) await this.chooseFolder(path);
    } catch (cause) {
      this.closeOverlay();
      this.actions.report('Couldn’t show the system’s dialog', cause);
    }
  }

  openFolder(): void {
    this.askFolder({ title: 'Open folder', verb: 'Open', done: (path) => this.workspace.open(path) });
  }

  async openSample(): Promise<void> {
    const failure = await this.workspace.openSample();
    if (failure) this.actions.report('Couldn’t open the sample workspace', failure, () => this.openSample());
  }

  importFolder(): void {
    this.askFolder({
      title: 'Import skills from a folder',
      verb: 'Import from',
      done: (path) => {
        void this.importer.preview(path, this.#scope());
        return null;
      },
    });
  }

  exportSkill(skill: SkillSummary): void {
    this.askFolder({
      title: `Export ${skill.name} to a folder`,
      verb: 'Export to',
      done: (path) => {
        void this.actions.exportTo([skill], path);
        return null;
      },
    });
  }

  openSettings(section: SettingsSection): void {
    this.settingsSection = section;
    this.layout.view = 'settings';
  }

  /** Asks for a model: the default one, unless `chosen` does something else with it. */
  chooseModel(title = 'Choose the default model', chosen?: (model: ModelRef) => unknown): void {
    this.#modelChosen =
      chosen ?? (async (model) => this.report('Couldn’t choose the model', await this.models.choose(model)));
    this.modelPick.start(title);
    this.overlay = 'model';
  }

  modelChosen(model: ModelRef): void {
    this.overlay = null;
    this.#modelChosen(model);
  }

  /** Runs what is in front, and shows it. */
  startRun(whole = this.running.whole): void {
    this.running.whole = whole;
    this.layout.set({ showInspector: true, inspectorTab: 'run' });
    void this.running.run.start();
  }

  async trustAndRun(): Promise<void> {
    if (await this.workspace.askTrust('Trust and run')) await this.running.run.start();
  }

  async setTrust(trusted: boolean): Promise<void> {
    if (trusted) await this.workspace.askTrust();
    else this.report('Couldn’t change the trust', await this.workspace.trust(false));
    this.running.run.touch();
  }

  openRuns(run?: string): void {
    this.layout.view = 'runs';
    if (run !== undefined) this.runsPlace.show(run);
  }

  openUsage(): void {
    this.layout.view = 'runs';
    this.runsPlace.showUsage();
  }

  exportRuns(): void {
    this.askFolder(
      {
        title: 'Export runs to a folder',
        verb: 'Export to',
        done: async (path) => {
          const written = await this.runsPlace.exporter.write(path);
          if (!('lines' in written)) return written;
          this.runsPlace.exporter.open = false;
          this.toasts.show(`Wrote ${plural(written.lines, 'line')} to ${written.out}`, { actions: [{ label: 'Copy path', run: () => this.copy(written.out, 'the path') }] });
          return null;
        },
      },
      this.workspace.current ? `${this.workspace.current.path}/` : '',
    );
  }

  /** The artifact that a trace is of, if its skill is still there. */
  openTraced({ skill_scope: scope, skill_id: id, skill_slug: slug, artifact_path: path }: Trace, line?: number): void {
    const key = { scope, id };
    if (this.catalog.summary(key)) this.openFile(key, path, line === undefined ? {} : { at: { line, column: 1 } });
    else this.toasts.show(`${slug} isn’t among the skills any more.`, { tone: 'warn' });
  }

  newSkill(): void {
    this.actions.dialog = { kind: 'newSkill', scope: this.#scope() };
  }

  newFile(skill: SkillSummary, folder = ''): void {
    this.actions.dialog = { kind: 'newFile', skill, folder };
  }

  renameRow(row: Row): void {
    if (row.kind === 'file' && row.entry.role !== 'main' && row.entry.role !== 'manifest') this.renameFile(row.skill, row.entry.path);
    else if (row.kind === 'folder') this.renameFile(row.skill, row.path, true);
    else if (row.kind === 'skill') this.toasts.show('A skill’s name is the name in its SKILL.md.', { actions: [{ label: 'Open SKILL.md', run: () => this.openSkill(row.skill) }] });
  }

  renameFile(skill: SkillSummary, path: string, folder = false): void {
    if (!this.#refuseLocked(skill)) this.actions.dialog = { kind: 'rename', skill, path, folder };
  }

  deleteRow(row: Row): void {
    if (row.kind === 'file') this.deleteFile(row.skill, row.entry.path);
    else if (row.kind === 'folder') this.deleteFile(row.skill, row.path, true);
    else if (row.kind === 'skill') void this.actions.deleteSkill(row.skill);
  }

  deleteFile(skill: SkillSummary, path: string, folder = false): void {
    if (!this.#refuseLocked(skill)) void this.actions.deleteFile(skill, path, folder);
  }

  async save(document = this.tabs.document): Promise<void> {
    if (!document?.dirty) return;
    if (document.external) {
      // The other side is on screen already: saving without a look would overwrite it.
      document.compare();
      return;
    }
    const saved = await document.save();
    if (saved || document.conflict) return;
    this.actions.report(`Couldn’t save ${document.path}`, document.failure, () => this.save(document));
  }

  async saveAll(): Promise<void> {
    for (const document of this.tabs.documents) if (document.dirty && !document.external) await this.save(document);
  }

  async discard(document = this.tabs.document): Promise<void> {
    if (!document?.dirty) return;
    const text = await document.discard();
    this.toasts.show(`Discarded the changes to ${document.path}`, {
      actions: [{ label: 'Undo', run: () => document.replace(text) }],
    });
  }

  closeTab(id = this.tabs.activeId): void {
    if (id === null) return;
    const document = this.tabs.close(id);
    if (!document?.dirty) return;
    const { scope, skillId, path } = document;
    this.toasts.show(`${path} has unsaved text, kept as a draft`, {
      actions: [
        { label: 'Reopen', run: () => this.tabs.open({ scope, skillId, path }) },
        {
          label: 'Discard it',
          run: () =>
            this.client
              .call('draft/discard', { skill: skillId, scope, path })
              .catch((cause: unknown) => this.actions.report('Couldn’t discard the draft', cause)),
        },
      ],
    });
  }

  closeTabs(which: (tab: Tab) => boolean): void {
    for (const tab of this.tabs.list.filter(which)) this.closeTab(tab.id);
  }

  openDrafts(): void {
    for (const draft of this.catalog.drafts) this.openFile({ scope: draft.scope, id: draft.skill_id }, draft.path);
  }

  showProblem({ key, path, diagnostic }: Problem): void {
    const at = diagnostic.line === null ? null : { line: diagnostic.line, column: diagnostic.column ?? 1 };
    if (path === null) void this.openSkill(key);
    else this.openFile(key, path, at ? { at } : {});
  }

  stepProblem(by: 1 | -1): void {
    if (!this.problems.step(by)) this.toasts.show('No problems in the open skills.');
  }

  async compareRevision(key: SkillKey, revision: Revision, path: string, against: 'before' | 'now'): Promise<void> {
    try {
      const current = this.catalog.summary(key)?.revision ?? revision.number;
      this.tabs.openComparison(await compareRevision(this.info, { key, path, number: revision.number, current, against }));
    } catch (cause) {
      this.actions.report(`Couldn’t read ${path} of that revision`, cause);
    }
  }

  async copy(text: string, what: string): Promise<void> {
    try {
      await this.platform.copyText(text);
      this.toasts.show(`Copied ${what}`, { lasts: 2_500 });
    } catch (cause) {
      this.actions.report(`Couldn’t copy ${what}`, cause);
    }
  }

  /** A link of a rendered file: a file of the same skill is opened, an address is copied. */
  followLink(from: Document, href: string): void {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) {
      void this.copy(href, 'the address');
      return;
    }
    const target = href.split('#')[0] ?? '';
    if (target === '') return;
    const path = pathFrom(from.path, target);
    const key = { scope: from.scope, id: from.skillId };
    const exists = this.catalog.detail(key)?.entries.some((entry) => entry.path === path) ?? false;
    if (exists) this.openFile(key, path);
    else this.toasts.show(`${path} isn’t a file of this skill.`, { tone: 'warn' });
  }

  tabMenu(tab: Tab, at: { x: number; y: number }): void {
    this.contextMenu.show(at, 'Tab', tabMenu(this, tab));
  }

  /** Finding is for the text: a form gives way to it. */
  findInText(what: 'search' | 'replace'): void {
    if (this.tabs.document) this.editor.showText(this.tabs.document.id);
    this.editor[what]();
  }

  focusEditor(): void {
    this.layout.view = 'studio';
    this.tabs.focusAsked += 1;
  }

  focusTree(): void {
    [this.layout.view, this.layout.side] = ['studio', 'skills'];
    this.layout.set({ showSidebar: true });
    this.tree.focusAsked += 1;
  }

  runCommand(id: string): void {
    this.overlay = null;
    this.recentCommands = [id, ...this.recentCommands.filter((one) => one !== id)].slice(0, 8);
    this.commands.run(id);
  }

  report(what: string, failure: Failure | null): void {
    if (failure) this.actions.report(what, failure);
  }

  #scope(): Scope {
    return this.workspace.current?.writable ? 'workspace' : 'account';
  }

  /** A run executes what is stored: unsaved text of the skill is saved first. */
  async saveForRun(target: RunTarget): Promise<boolean> {
    const dirty = this.tabs.documents.filter((one) => one.dirty && one.skillId === target.skillId && one.scope === target.scope);
    for (const document of dirty) {
      await this.save(document);
      if (document.dirty) return false;
    }
    return true;
  }

  #refuseLocked(skill: SkillSummary): boolean {
    if (!skill.locked) return false;
    this.toasts.show(`${skill.name} is locked`, {
      hint: 'Make a copy of your own to change it.',
      actions: [{ label: 'Duplicate to edit', run: () => this.actions.duplicate(skill) }],
    });
    return true;
  }

  async #workspaceChanged(): Promise<void> {
    this.tree.hasWorkspace = this.workspace.current !== null;
    this.platform.setTitle(
      this.workspace.current ? `${this.workspace.current.name} – Inklings Skill Studio` : 'Inklings Skill Studio',
    );
    this.runsPlace.reset();
    this.pages.place?.reset();
    this.search.place?.search.reset();
    this.dspy.reset();
    await this.catalog.reload();
    await this.tabs.restore();
  }
}
