import { plural } from '$lib/domain';
import { FolderPick } from '$lib/features/palette';
import type { FolderRequest } from './folderRequest';
import type { Studio } from '$lib/app/studio.svelte';

/** Everything that begins with a folder of this machine: opening one, taking skills in, putting skills and runs out. */
export class FoldersController {
  readonly pick: FolderPick;
  request = $state.raw<FolderRequest | null>(null);
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
    this.pick = new FolderPick(studio.client);
  }

  /** Asks for a folder, by typing or with the system's dialog. */
  ask(request: FolderRequest, from = ''): void {
    this.request = request;
    void this.pick.start(from, request.packages === true);
    this.#studio.overlay = 'folder';
  }

  async choose(path: string, how: 'done' | 'beside' = 'done'): Promise<void> {
    const request = this.request;
    const failure = await (request?.[how] ?? request?.done)?.(await this.pick.resolve(path));
    // Someone closed it meanwhile, or asked for something else.
    if (this.request !== request) return;
    if (failure) this.pick.failure = failure;
    else this.#studio.closeOverlay();
  }

  async browse(what: 'folder' | 'package'): Promise<void> {
    const request = this.request;
    try {
      const path = await this.#studio.platform.pickPath?.(request?.title ?? 'Choose a folder', what);
      if (path) await this.choose(path);
    } catch (cause) {
      this.#studio.closeOverlay();
      this.#studio.actions.report('Couldn’t open the file dialog', cause);
    }
  }

  openFolder(): void {
    const { workspace, windows } = this.#studio;
    this.ask({ title: 'Open folder', verb: 'Open', direct: true, done: (path) => workspace.open(path), beside: (path) => windows.openBeside(path) });
  }

  async openSample(): Promise<void> {
    const failure = await this.#studio.workspace.openSample();
    if (failure) this.#studio.actions.report('Couldn’t open the sample workspace', failure, () => this.openSample());
  }

  importFolder(): void {
    this.ask({
      title: 'Import skills from a folder or a package',
      verb: 'Import from',
      packages: true,
      done: (path) => {
        void this.#studio.importer.preview([path], this.#studio.scope);
        return null;
      },
    });
  }

  /** Asks for the folder that the skills of the dialog are written into. */
  exportSkills(): void {
    const { exporter } = this.#studio;
    this.ask(
      {
        title: `Export ${exporter.what} to a folder`,
        verb: 'Export to',
        done: (path) => {
          void exporter.write(path).then((all) => this.exported(all));
          return null;
        },
      },
      exporter.out ?? '',
    );
  }

  /** What was written wholly needs no more words than these; anything else stays in the dialog. */
  exported(all: boolean): void {
    const { exporter, toasts } = this.#studio;
    const [first] = exporter.items;
    if (!all || !first) return;
    const path = exporter.items.length === 1 ? first.path : (exporter.out ?? '');
    const what = exporter.items.length === 1 ? first.slug : plural(exporter.items.length, 'skill');
    toasts.show(`Exported ${what} to ${path}`, { tone: 'ok', actions: [{ label: 'Copy path', run: () => this.#studio.copy(path, 'the path') }] });
    exporter.close();
  }

  exportRuns(): void {
    this.ask(
      {
        title: 'Export runs to a folder',
        verb: 'Export to',
        done: async (path) => {
          const written = await this.#studio.runsView.exporter.write(path);
          if (!('lines' in written)) return written;
          this.#studio.runsView.exporter.open = false;
          this.#studio.toasts.show(`Exported ${plural(written.lines, 'line')} to ${written.out}`, { actions: [{ label: 'Copy path', run: () => this.#studio.copy(written.out, 'the path') }] });
          return null;
        },
      },
      this.#studio.workspace.current ? `${this.#studio.workspace.current.path}/` : '',
    );
  }
}
