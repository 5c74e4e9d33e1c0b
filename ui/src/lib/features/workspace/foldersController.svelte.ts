import { plural } from '$lib/domain';
import { FolderPick } from '$lib/features/palette';
import type { FolderRequest } from './folderRequest';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'client' | 'clipboard' | 'context' | 'exporter' | 'importer' | 'importSource' | 'notifications' | 'opener' | 'overlays' | 'platform' | 'runsView' | 'toasts'
  | 'windows' | 'workspace'
>;

/** Actions that ask for a folder: open, import and export. */
export class FoldersController {
  readonly pick: FolderPick;
  request = $state.raw<FolderRequest | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.pick = new FolderPick(services.client);
  }

  /** Asks for a folder in the palette, which can open the system’s dialog. */
  ask(request: FolderRequest, from = ''): void {
    this.request = request;
    void this.pick.start(from, request.packages === true);
    this.#services.overlays.show('folder');
  }

  close(): void {
    this.#services.overlays.close();
    this.request = null;
  }

  async choose(path: string, how: 'done' | 'beside' = 'done'): Promise<void> {
    const request = this.request;
    const failure = await (request?.[how] ?? request?.done)?.(await this.pick.resolve(path));
    // Closed or replaced by another request meanwhile.
    if (this.request !== request) return;
    if (failure) this.pick.failure = failure;
    else this.close();
  }

  async browse(what: 'folder' | 'package'): Promise<void> {
    const request = this.request;
    try {
      const path = await this.#services.platform.pickPath?.(request?.title ?? 'Choose a folder', what);
      if (path) await this.choose(path);
    } catch (cause) {
      this.#services.overlays.close();
      this.#services.notifications.report('Couldn’t open the file dialog', cause);
    }
  }

  openFolder(): void {
    const { opener, windows } = this.#services;
    this.ask({ title: 'Open folder', verb: 'Open', direct: true, done: (path) => opener.open(path), beside: (path) => windows.openBeside(path) });
  }

  /** Asks for the path in the palette. */
  importPath(): void {
    this.ask({
      title: 'Import skills from a path',
      verb: 'Import from',
      packages: true,
      done: (path) => {
        void this.#services.importer.start([path], this.#services.context.defaultScope);
        return null;
      },
    });
  }

  /** Asks in the system’s dialog where to export to, or what to import; outside of the app, in the palette. */
  async pickFor(purpose: 'export' | 'import', what: 'folder' | 'package' = 'folder'): Promise<void> {
    const { context, exporter, importer, importSource, notifications, platform } = this.#services;
    const isExport = purpose === 'export';
    if (!platform.pickPath) {
      if (isExport) this.exportSkills();
      else this.importPath();
      return;
    }
    try {
      const path = await platform.pickPath(isExport ? `Export ${exporter.label} to a folder` : 'Import skills', what);
      if (!path) return;
      if (isExport) this.exported(await exporter.write(path));
      else {
        importSource.close();
        void importer.start([path], context.defaultScope);
      }
    } catch (cause) {
      notifications.report('Couldn’t open the file dialog', cause);
    }
  }

  exportSkills(): void {
    const { exporter } = this.#services;
    this.ask(
      {
        title: `Export ${exporter.label} to a folder`,
        verb: 'Export to',
        done: (path) => {
          void exporter.write(path).then((all) => this.exported(all));
          return null;
        },
      },
      exporter.folder ?? '',
    );
  }

  /** Closes the dialog when everything was exported; else it shows what wasn’t. */
  exported(all: boolean): void {
    const { exporter, toasts } = this.#services;
    const items = exporter.report?.items ?? [];
    const [first] = items;
    if (!all || !first) return;
    const path = items.length === 1 ? first.path : (exporter.folder ?? '');
    const what = items.length === 1 ? first.slug : plural(items.length, 'skill');
    toasts.show(`Exported ${what} to ${path}`, { tone: 'ok', actions: [{ label: 'Copy path', run: () => this.#services.clipboard.copy(path, 'the path') }] });
    exporter.close();
  }

  exportRuns(): void {
    this.ask(
      {
        title: 'Export runs to a folder',
        verb: 'Export to',
        done: async (path) => {
          const written = await this.#services.runsView.exporter.write(path);
          if (!('lines' in written)) return written;
          this.#services.runsView.exporter.open = false;
          this.#services.toasts.show(`Exported ${plural(written.lines, 'line')} to ${written.out}`, { actions: [{ label: 'Copy path', run: () => this.#services.clipboard.copy(written.out, 'the path') }] });
          return null;
        },
      },
      this.#services.workspace.current ? `${this.#services.workspace.current.path}/` : '',
    );
  }
}
