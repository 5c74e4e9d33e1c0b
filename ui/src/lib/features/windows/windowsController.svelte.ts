import { asFailure } from '$lib/api';
import { Zoom } from '$lib/features/workspace';
import type { Failure } from '$lib/api/generated';
import type { Studio } from '$lib/app/studio.svelte';

const APP = 'Inklings Skill Studio';

/** This window among the others: opening and closing them, how they are called, how large everything is shown. */
export class WindowsController {
  readonly zoom: Zoom;
  readonly title = $derived.by(() => {
    const { tabs, workspace } = this.#studio;
    const name = workspace.current ? `${workspace.current.name} – ${APP}` : APP;
    return tabs.documents.some((document) => document.dirty) ? `• ${name}` : name;
  });
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
    this.zoom = new Zoom(studio.settings);
  }

  /** Sends what was typed last before the window closes. */
  async start(): Promise<void> {
    await this.#studio.platform.window.onClosing(() => void this.#farewell());
  }

  /** Brings the window's title and zoom up to date. */
  look(): void {
    const { platform, started } = this.#studio;
    platform.setTitle(this.title);
    // Before the settings are read the window has what the last start left.
    if (started) void platform.window.zoom(this.zoom.level);
  }

  async open(): Promise<void> {
    try {
      await this.#studio.platform.window.open(null);
    } catch (cause) {
      this.#studio.actions.report('Couldn’t open a window', cause, () => this.open());
    }
  }

  /** Asks for a folder, and opens it in a window of its own. */
  openFolder(): void {
    this.#studio.folders.ask({ title: 'Open folder in new window', verb: 'Open in a new window', direct: true, done: (path) => this.openBeside(path) });
  }

  /** Null when the folder is shown, in a new window or in the one that had it. */
  async openBeside(path: string): Promise<Failure | null> {
    try {
      await this.#studio.platform.window.open(path);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  close(): void {
    void this.#farewell();
  }

  quit(): void {
    void this.#studio.platform.window.quit();
  }

  fill(): void {
    void this.#studio.platform.window.fill();
  }

  async #farewell(): Promise<void> {
    // A core that is slow or gone must not keep the window open.
    await Promise.allSettled([this.#studio.tabs.keepAll(), this.#studio.settings.flush()]);
    await this.#studio.platform.window.close();
  }
}
