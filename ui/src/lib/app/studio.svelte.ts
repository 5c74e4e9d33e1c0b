import { type Brief, Catalog, Client, Debounce, Feed, Models, Scripts, Settings, Tasks } from '$lib/api';
import { Commands } from '$lib/commands';
import { MenuState, Toasts, ViewRequest } from '$lib/components';
import { Preferences } from '$lib/domain';
import { Actions, Exporter, Importer } from '$lib/features/actions';
import { EditorState, Tabs } from '$lib/features/editor';
import { Info, Preview } from '$lib/features/inspector';
import { Keymap } from '$lib/features/keys';
import { ModelPick, ModelSettings } from '$lib/features/models';
import { QuickOpen } from '$lib/features/palette';
import { Problems } from '$lib/features/problems';
import { type SettingsSection, Theme } from '$lib/features/settings';
import { Tree } from '$lib/features/tree';
import { Workspace } from '$lib/features/workspace';
import type { Platform } from '$lib/platform';
import type { Failure, ModelRef, Scope } from '$lib/api/generated';
import { AgentsController } from '$lib/features/actions/agentsController.svelte';
import { commandsOf } from './commands';
import { CompareController } from '$lib/features/compare/compareController.svelte';
import { DatabaseController } from '$lib/features/databases/databaseController.svelte';
import { ProgramsController } from '$lib/features/programs/programsController.svelte';
import { FilesController } from '$lib/features/files/filesController.svelte';
import { FixesController } from '$lib/features/problems/fixesController.svelte';
import { FoldersController } from '$lib/features/workspace/foldersController.svelte';
import { HelpController } from '$lib/features/help/helpController.svelte';
import { Layout } from '$lib/workbench/layout.svelte';
import { LibraryController } from '$lib/features/library/libraryController.svelte';
import { rowMenu } from '$lib/features/tree/menus';
import { LogController } from '$lib/features/logs/logController.svelte';
import type { Overlay } from '$lib/features/workspace/folderRequest';
import { PagesController } from '$lib/features/pages/pagesController.svelte';
import { RunViewModel } from '$lib/features/run/runViewModel.svelte';
import { RunsController } from '$lib/features/runs/runsController.svelte';
import { RunsViewModel } from '$lib/features/runs/runsViewModel.svelte';
import { SearchController } from '$lib/features/search/searchController.svelte';
import { SymbolsController } from '$lib/features/symbols/symbolsController.svelte';
import { TreeController } from '$lib/features/tree/treeController.svelte';
import { treeMarks } from '$lib/features/tree/treeMarks';
import { WindowsController } from '$lib/features/windows/windowsController.svelte';
import { listTasks } from '$lib/features/tasks/taskTable';

/** The whole window: makes the parts, and connects what one of them reports with what another does. */
export class Studio {
  readonly platform: Platform;
  readonly client: Client;
  readonly feed = new Feed();
  readonly settings: Settings;
  readonly scripts: Scripts;
  readonly catalog: Catalog;
  readonly commands = new Commands();
  readonly keymap: Keymap;
  readonly preferences: Preferences;
  readonly toasts = new Toasts();
  readonly tasks = new Tasks();
  readonly contextMenu = new MenuState();
  readonly layout: Layout;
  readonly theme: Theme;
  readonly editor: EditorState;
  readonly tabs: Tabs;
  readonly tree: Tree;
  readonly problems: Problems;
  readonly fixes: FixesController;
  readonly preview: Preview;
  readonly info: Info;
  readonly quick: QuickOpen;
  readonly files = new FilesController(this);
  readonly treeActions = new TreeController(this);
  readonly folders: FoldersController;
  readonly runs = new RunsController(this);
  readonly actions: Actions;
  readonly exporter: Exporter;
  readonly importer: Importer;
  readonly workspace: Workspace;
  readonly models: Models;
  readonly modelSettings: ModelSettings;
  readonly modelPick: ModelPick;
  readonly running: RunViewModel;
  readonly runsView: RunsViewModel;
  readonly pages = new PagesController(this);
  readonly search = new SearchController(this);
  readonly symbols = new SymbolsController(this);
  readonly library = new LibraryController(this);
  readonly help = new HelpController(this);
  readonly windows: WindowsController;
  readonly databases: DatabaseController;
  readonly log = new LogController(this);
  readonly dspy: ProgramsController;
  readonly agents: AgentsController;
  readonly compare: CompareController;
  settingsSection = $state<SettingsSection>('general');
  readonly settingsSearchFocus = new ViewRequest();
  overlay = $state<Overlay | null>(null);
  started = $state(false);
  /** The first paint is over: what doesn't belong to it is loaded. */
  drawn = $state(false);
  recentCommands = $state.raw<string[]>([]);
  #settingsRead: Promise<void> = Promise.resolve();
  #modelChosen: (model: ModelRef) => unknown = () => undefined;

  /** Two texts are side by side in a small window: they need the room that the inspector has. */
  readonly crowded = $derived.by(
    () => (this.tabs.active?.kind === 'comparison' || this.tabs.document?.conflict != null || this.tabs.hasColumns) && this.layout.windowWidth < 1100,
  );
  /** All skills are checked once the window has what it shows first. */
  readonly #checkLater = new Debounce(1_000, () => this.problems.checks.start());

  constructor(platform: Platform) {
    this.platform = platform;
    this.client = new Client(platform);
    this.settings = new Settings(this.client, this.feed);
    this.scripts = new Scripts(this.client);
    this.editor = new EditorState(this.settings);
    this.editor.help = this.symbols.help;
    this.catalog = new Catalog(this.client, this.feed);
    this.layout = new Layout(this.settings);
    this.theme = new Theme(this.settings);
    this.keymap = new Keymap(this.settings, this.commands);
    this.preferences = new Preferences(this.settings);
    this.tabs = new Tabs(this.client, this.catalog, this.settings);
    this.tree = new Tree(this.catalog, {
      open: (key, path, options) => this.files.open(key, path, options),
      menu: (row, at) => this.contextMenu.show(at, 'Actions', rowMenu(this, row)),
      create: (scope) => (this.actions.dialog = { kind: 'newSkill', scope }),
      mayRename: (row) => this.treeActions.mayRename(row),
      rename: (row, name) => this.treeActions.rename(row, name),
      remove: (rows) => this.treeActions.remove(rows),
      bring: (rows, goal, copy) => this.treeActions.bring(rows, goal, copy),
    }, treeMarks(this));
    this.problems = new Problems(this.client, this.feed, this.catalog, {
      files: () =>
        this.tabs.documents
          .filter((document) => document.status === 'ready' && document.saved !== null)
          .map(({ scope, skillId, path, diagnostics }) => ({ scope, id: skillId, path, diagnostics })),
      show: (problem) => this.files.showProblem(problem),
    });
    this.preview = new Preview(this.client, this.feed);
    this.info = new Info(this.client);
    this.quick = new QuickOpen(this.client, () => this.files.recent);
    this.folders = new FoldersController(this);
    this.databases = new DatabaseController(this);
    this.actions = new Actions(this.client, this.catalog, this.toasts, {
      open: (key, path) => this.files.open(key, path),
      arrived: (skill, paths) => this.treeActions.arrived(skill, paths),
      moved: (key, from, to) => this.tabs.moved(key, from, to),
      closed: (key, path) => this.tabs.closeOf(key, path),
      keep: () => this.tabs.keepAll(),
      isDirty: ({ scope, id }, path) => this.tabs.documentOf({ scope, skillId: id, path })?.dirty ?? false,
    });
    this.exporter = new Exporter(this.client);
    this.importer = new Importer(this.client, this.catalog, () => this.workspace.current?.writable === true);
    this.workspace = new Workspace(
      this.client,
      this.feed,
      async () => void (await Promise.all([this.tabs.keepAll(), this.library.keep()])),
      () => this.#workspaceChanged(),
    );
    this.models = new Models(this.client, this.feed);
    this.modelSettings = new ModelSettings(this.client, this.models);
    this.modelPick = new ModelPick(this.models);
    this.running = new RunViewModel(this.client, this.feed, this.models, this.settings, this.preview, {
      document: () => (this.tabs.document?.status === 'ready' ? this.tabs.document : null),
      skill: () => this.skill,
      save: (target) => this.files.saveForRun(target, target.artifact === null ? null : [target.artifact]),
      trust: () => this.workspace.askTrust('Trust and run'),
    });
    this.runsView = new RunsViewModel(this.client, this.feed);
    this.dspy = new ProgramsController(this);
    this.agents = new AgentsController(this);
    this.fixes = new FixesController(this);
    this.editor.fix = (document, fix) => void this.fixes.apply(document, fix);
    this.compare = new CompareController(this);
    this.windows = new WindowsController(this);
    this.commands.add(commandsOf(this));
    listTasks(this);
  }

  async start(): Promise<void> {
    // Each call is a way to the core and back: what doesn't need the answer of another goes along with it.
    const heard = this.feed.start(this.platform, () => this.client.workspace).catch((cause: unknown) => {
      this.actions.report('Couldn’t watch for changes', cause);
    });
    const heardClosing = this.windows.start();
    this.#settingsRead = heard.then(() => this.settings.load());
    void heard.then(() => this.models.load());
    this.report('Couldn’t reopen the folder', await this.workspace.start(heard));
    await Promise.all([this.#settingsRead, heardClosing]);
    this.started = true;
    this.databases.start();
  }

  /** The skill of the file in front, else the one that the tree's cursor is on. */
  get skill(): Brief | null {
    const document = this.tabs.document;
    if (document) return this.files.skillOf(document) ?? null;
    return this.tree.skill;
  }

  showOverlay(overlay: Overlay): void {
    if (overlay === 'quick') this.quick.start();
    this.overlay = overlay;
  }

  closeOverlay(): void {
    this.overlay = null;
    this.folders.request = null;
  }

  searchSettings(): void {
    this.layout.view = 'settings';
    this.settingsSearchFocus.send();
  }

  openSettings(section: SettingsSection): void {
    this.settingsSection = section;
    this.layout.view = 'settings';
  }

  /** Asks for a model: the default one, unless `chosen` does something else with it. */
  chooseModel(title = 'Choose the default model', chosen?: (model: ModelRef) => unknown): void {
    this.#modelChosen =
      chosen ?? (async (model) => this.report('Couldn’t set the default model', await this.models.choose(model)));
    this.modelPick.start(title);
    this.overlay = 'model';
  }

  modelChosen(model: ModelRef): void {
    this.overlay = null;
    this.#modelChosen(model);
  }

  async copy(text: string, what: string): Promise<void> {
    try {
      await this.platform.copyText(text);
      this.toasts.show(`Copied ${what}`, { lasts: 2_500 });
    } catch (cause) {
      this.actions.report(`Couldn’t copy ${what}`, cause);
    }
  }

  closePanel(): void {
    this.layout.set({ showPanel: false });
    if (this.layout.view === 'studio') this.focusEditor();
  }

  /** Brings the keyboard to the editor, to that of a group when one is said. */
  focusEditor(group = this.tabs.groups.indexOf(this.tabs.group)): void {
    this.layout.view = 'studio';
    this.tabs.focusGroup(group);
  }

  focusTree(): void {
    [this.layout.view, this.layout.side] = ['studio', 'skills'];
    this.layout.set({ showSidebar: true });
    this.tree.focusRequest.send();
  }

  runCommand(id: string): void {
    // Whether it can run is asked where the palette offered it: without the palette nothing may have the keyboard yet.
    const command = this.commands.get(id);
    const can = command?.when?.() ?? true;
    this.overlay = null;
    this.recentCommands = [id, ...this.recentCommands.filter((one) => one !== id)].slice(0, 8);
    if (can) command?.run();
  }

  report(what: string, failure: Failure | null): void {
    if (failure) this.actions.report(what, failure);
  }

  /** Where something new goes unless said. */
  get scope(): Scope {
    return this.workspace.current?.writable ? 'workspace' : 'account';
  }

  async #workspaceChanged(): Promise<void> {
    this.tree.hasWorkspace = this.workspace.current !== null;
    this.layout.place = this.client.place;
    this.actions.journal.clear();
    this.tree.reset();
    this.runsView.reset();
    this.pages.view?.reset();
    this.library.view?.reset();
    this.search.view?.search.reset();
    this.symbols.reset();
    this.compare.reset();
    this.dspy.reset();
    this.problems.checks.reset();
    await Promise.all([this.catalog.reload(), this.#settingsRead]);
    await this.tabs.restore();
    this.#checkLater.touch();
  }
}
