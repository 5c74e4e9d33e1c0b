import { tick } from 'svelte';
import type { Document, EditorHelp } from '$lib/features/editor';
import type { Named, Names, Words } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import type { SymbolsViewModel } from './symbolsViewModel.svelte';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'editor' | 'files' | 'layout' | 'navigation' | 'notifications' | 'overlays' | 'pages' | 'palette'
  | 'quickOpen' | 'scripts' | 'settings' | 'tabs' | 'toasts'
>;

/** Whether files are formatted before they are saved. */
const FORMAT_ON_SAVE = 'ui.format_on_save';

/** The way to what texts name. What it needs comes with the first text, not with the window. */
export class SymbolsController {
  view = $state.raw<SymbolsViewModel | null>(null);
  readonly #services: Needs;
  #loading: Promise<SymbolsViewModel> | null = null;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** What the editor asks about a text. A failure is no news there: it gives nothing, and the next question tries again. */
  readonly help: EditorHelp = {
    functions: () => this.#services.scripts.functions(),
    words: async (): Promise<Words> => (await this.#load()).vocabulary.words(),
    names: async (document): Promise<Names | null> => {
      const place = await this.#load();
      return place.vocabulary.names(place.textsOf(document)).catch(() => null);
    },
    at: async (document, position): Promise<Named | null> => {
      const place = await this.#load();
      return place.vocabulary.at(place.textsOf(document), document.path, position).catch(() => null);
    },
    skills: () => this.#services.catalog.skills.filter(({ shadowed }) => !shadowed),
    follow: (document, position) => void this.with((place) => place.follow(document, position, true)),
  };

  /** Whether a list of references is in sight, to step through. */
  get hasReferences(): boolean {
    const { layout } = this.#services;
    return layout.view === 'editor' && layout.showPanel && layout.panelTab === 'references' && (this.view?.references.rows.length ?? 0) > 0;
  }

  /** Does something with the part, which is loaded first. */
  async with(run: (place: SymbolsViewModel) => unknown): Promise<void> {
    try {
      await run(await this.#load());
    } catch (cause) {
      this.#services.notifications.report('Couldn’t parse the text', cause);
    }
  }

  goToSymbol(): void {
    void this.with((place) => {
      place.readOutline();
      this.#services.overlays.show('symbol');
    });
  }

  /** In the list that also opens files: a line of the one in front. */
  async goToLine(): Promise<void> {
    this.#services.palette.showQuickOpen();
    // Once the list is there: what it opens with is selected, and would be typed over.
    await tick();
    this.#services.quickOpen.type(':');
  }

  showOutline(): void {
    this.#services.layout.showInspectorTab('outline');
  }

  /** A file is about to be saved: it is formatted, if that was asked for. What can't be read as what it is stays as it was typed. */
  async beforeSave(document: Document): Promise<void> {
    if (this.#services.settings.get(FORMAT_ON_SAVE) !== true) return;
    await this.#load().then((place) => place.formatQuietly(document), () => undefined);
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
