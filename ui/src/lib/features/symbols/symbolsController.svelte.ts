import { tick } from 'svelte';
import type { Document, EditorHelp } from '$lib/features/editor';
import type { Symbols } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import type { SymbolsViewModel } from './symbolsViewModel.svelte';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'documents' | 'editor' | 'files' | 'layout' | 'navigation' | 'notifications' | 'overlays' | 'pages' | 'palette'
  | 'preview' | 'quickOpen' | 'runView' | 'scripts' | 'settings' | 'tabs' | 'toasts'
>;

/** Whether files are formatted before they are saved. */
const FORMAT_ON_SAVE = 'ui.format_on_save';

/** Navigation by symbols. Its view model is loaded with the first text. */
export class SymbolsController {
  view = $state.raw<SymbolsViewModel | null>(null);
  readonly #services: Needs;
  #loading: Promise<SymbolsViewModel> | null = null;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Completion and navigation of the editor. A failure gives no results, and the next request tries again. */
  readonly help: EditorHelp = {
    functions: () => this.#services.scripts.functions(),
    language: async (): Promise<Symbols.LanguageData> => (await this.#load()).vocabulary.language(),
    names: async (document): Promise<Symbols.Names | null> => {
      const viewModel = await this.#load();
      return viewModel.vocabulary.names(viewModel.textsOf(document)).catch(() => null);
    },
    at: async (document, position): Promise<Symbols.SymbolInformation | null> => {
      const viewModel = await this.#load();
      return viewModel.vocabulary.at(viewModel.textsOf(document), document.file.path, position).catch(() => null);
    },
    skills: () => this.#services.catalog.skills.filter(({ shadowed }) => !shadowed),
    follow: (document, position) => void this.with((viewModel) => viewModel.follow(document, position, true)),
  };

  /** Whether a list of references is visible, to step through. */
  get hasReferences(): boolean {
    const { layout } = this.#services;
    return layout.view === 'editor' && layout.panel.shown && layout.panel.tab === 'references' && (this.view?.references.list.rows.length ?? 0) > 0;
  }

  /** Loads the view model and passes it to `run`. */
  async with(run: (viewModel: SymbolsViewModel) => unknown): Promise<void> {
    try {
      await run(await this.#load());
    } catch (cause) {
      this.#services.notifications.report('Couldn’t parse the text', cause);
    }
  }

  goToSymbol(): void {
    void this.with((viewModel) => {
      viewModel.readOutline();
      this.#services.overlays.show('symbol');
    });
  }

  /** Opens quick open for a line of the active file. */
  async goToLine(): Promise<void> {
    this.#services.palette.showQuickOpen();
    // Set after the list opened, which selects its initial query.
    await tick();
    this.#services.quickOpen.type(':');
  }

  showOutline(): void {
    this.#services.layout.inspector.show('outline');
  }

  /** Formats a file before it is saved, if that is enabled. Text with syntax errors stays as it is. */
  async beforeSave(document: Document): Promise<void> {
    if (this.#services.settings.get(FORMAT_ON_SAVE) !== true) return;
    await this.#load().then((viewModel) => viewModel.formatQuietly(document), () => undefined);
  }

  reset(): void {
    this.view?.reset();
  }

  #load(): Promise<SymbolsViewModel> {
    this.#loading ??= import('./symbolsViewModel.svelte').then(
      ({ SymbolsViewModel }) => (this.view = new SymbolsViewModel(this.#services)),
      (cause: unknown) => {
        this.#loading = null;
        throw cause;
      },
    );
    return this.#loading;
  }
}
