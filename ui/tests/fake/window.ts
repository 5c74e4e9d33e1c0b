import type { HostWindow, WindowFolder } from '$lib/platform';

/** The window around a page that has none, and what was asked of it. */
export class FakeWindow implements HostWindow {
  place: WindowFolder = { workspace: null, number: 0 };
  level = 1;
  filled = false;
  closed = false;
  ended = false;
  /** Folders that another window has. */
  readonly elsewhere = new Set<string>();
  /** What was opened in a window of its own, or shown in the one that has it. */
  readonly opened: (string | null)[] = [];
  readonly shown: string[] = [];
  /** Set to make opening a window fail. */
  refusal: unknown = null;
  readonly #closing = new Set<() => void>();

  reloads = 0;

  reload(): void {
    this.reloads += 1;
  }

  start(): Promise<WindowFolder> {
    return Promise.resolve(this.place);
  }

  claim(workspace: string | null): Promise<WindowFolder | null> {
    if (workspace !== null && this.elsewhere.has(workspace)) {
      this.shown.push(workspace);
      return Promise.resolve(null);
    }
    this.place = { workspace, number: 0 };
    return Promise.resolve(this.place);
  }

  open(folder: string | null): Promise<void> {
    if (this.refusal !== null) return Promise.reject(this.refusal);
    this.opened.push(folder);
    return Promise.resolve();
  }

  onClosing(listener: () => void): Promise<() => void> {
    this.#closing.add(listener);
    return Promise.resolve(() => this.#closing.delete(listener));
  }

  /** As when someone clicks the window's own cross. */
  askToClose(): void {
    for (const listener of this.#closing) listener();
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  quit(): Promise<void> {
    this.ended = true;
    return Promise.resolve();
  }

  zoom(level: number): Promise<void> {
    this.level = level;
    return Promise.resolve();
  }

  fill(): Promise<boolean> {
    this.filled = !this.filled;
    return Promise.resolve(this.filled);
  }
}
