import { asFailure } from '$lib/api';
import { Zoom } from '$lib/features/workspace';
import type { Failure } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'folders' | 'lifecycle' | 'notifications' | 'platform' | 'settings' | 'tabs' | 'workspace'>;

const APP = 'Inklings Skill Studio';

/** This window among the others: opening and closing them, how they are called, how large everything is shown. */
export class WindowsController {
  readonly zoom: Zoom;
  readonly title = $derived.by(() => {
    const { tabs, workspace } = this.#services;
    const name = workspace.current ? `${workspace.current.name} – ${APP}` : APP;
    return tabs.documents.some((document) => document.dirty) ? `• ${name}` : name;
  });
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.zoom = new Zoom(services.settings);
  }

  /** Sends what was typed last before the window closes. */
  async start(): Promise<void> {
    await this.#services.platform.window.onClosing(() => void this.#farewell());
  }

  /** Brings the window's title and zoom up to date. */
  look(): void {
    const { platform, lifecycle } = this.#services;
    platform.setTitle(this.title);
    // Before the settings are read the window has what the last start left.
    if (lifecycle.started) void platform.window.zoom(this.zoom.level);
  }

  async open(): Promise<void> {
    try {
      await this.#services.platform.window.open(null);
    } catch (cause) {
      this.#services.notifications.report('Couldn’t open a window', cause, () => this.open());
    }
  }

  /** Asks for a folder, and opens it in a window of its own. */
  openFolder(): void {
    this.#services.folders.ask({ title: 'Open folder in new window', verb: 'Open in a new window', direct: true, done: (path) => this.openBeside(path) });
  }

  /** Null when the folder is shown, in a new window or in the one that had it. */
  async openBeside(path: string): Promise<Failure | null> {
    try {
      await this.#services.platform.window.open(path);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  close(): void {
    void this.#farewell();
  }

  quit(): void {
    void this.#services.platform.window.quit();
  }

  fill(): void {
    void this.#services.platform.window.fill();
  }

  async #farewell(): Promise<void> {
    // A core that is slow or gone must not keep the window open.
    await Promise.allSettled([this.#services.tabs.keepAll(), this.#services.settings.flush()]);
    await this.#services.platform.window.close();
  }
}
