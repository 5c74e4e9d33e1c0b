import { asFailure } from '$lib/api';
import { Zoom } from '$lib/features/workspace';
import type { Failure } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'folders' | 'lifecycle' | 'notifications' | 'platform' | 'settings' | 'tabs' | 'workspace'>;

const APP = 'Inklings Skill Studio';

/** Opens and closes windows, and keeps their title and zoom level current. */
export class WindowsController {
  readonly zoom: Zoom;
  readonly title = $derived.by(() => {
    const { tabs, workspace } = this.#services;
    const name = workspace.current ? `${workspace.current.name} – ${APP}` : APP;
    return tabs.documents.list.some((document) => document.content.dirty) ? `• ${name}` : name;
  });
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.zoom = new Zoom(services.settings);
  }

  /** Stores unsaved input before the window closes. */
  async start(): Promise<void> {
    await this.#services.platform.window.onClosing(() => void this.#saveAndClose());
  }

  /** Keeps the title and zoom of the window current until the returned function is called. */
  follow(): () => void {
    return $effect.root(() => {
      $effect(() => this.update());
    });
  }

  update(): void {
    const { platform, lifecycle } = this.#services;
    platform.setTitle(this.title);
    // Until the settings are loaded, the window keeps the zoom of the last start.
    if (lifecycle.started) void platform.window.zoom(this.zoom.level);
  }

  async open(): Promise<void> {
    try {
      await this.#services.platform.window.open(null);
    } catch (cause) {
      this.#services.notifications.report('Couldn’t open a window', cause, () => this.open());
    }
  }

  openFolder(): void {
    this.#services.folders.ask({ title: 'Open folder in new window', verb: 'Open in a new window', direct: true, done: (path) => this.openBeside(path) });
  }

  /** Shows the folder in a new window, or in the one that has it open. Resolves with null on success. */
  async openBeside(path: string): Promise<Failure | null> {
    try {
      await this.#services.platform.window.open(path);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  close(): void {
    void this.#saveAndClose();
  }

  quit(): void {
    void this.#services.platform.window.quit();
  }

  fill(): void {
    void this.#services.platform.window.fill();
  }

  async #saveAndClose(): Promise<void> {
    // The window closes even if the core fails.
    await Promise.allSettled([this.#services.lifecycle.keep(), this.#services.settings.flush()]);
    await this.#services.platform.window.close();
  }
}
