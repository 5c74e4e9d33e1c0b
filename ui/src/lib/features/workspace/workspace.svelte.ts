import { asFailure, type Client, type ChangeFeed } from '$lib/api';
import type { HostWindow, WindowFolder } from '$lib/platform';
import type { App, Failure, WorkspaceStatus } from '$lib/api/generated';
import { WorkspaceBanners } from './workspaceBanners.svelte';
import { WorkspaceTrust } from './workspaceTrust.svelte';

/** The open folder, and the status of the core. */
export class Workspace {
  status = $state.raw<App.AppStatus | null>(null);
  current = $state.raw<WorkspaceStatus | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly trust: WorkspaceTrust;
  readonly banners = new WorkspaceBanners(() => [...(this.status?.banners ?? []), ...(this.current?.banners ?? [])]);
  readonly #client: Client;
  readonly #host: HostWindow;
  readonly #leaving: () => Promise<void>;
  readonly #changed: () => Promise<void>;

  /** `leaving` runs while the old folder is still open, `changed` once the new one is. */
  constructor(client: Client, feed: ChangeFeed, leaving: () => Promise<void>, changed: () => Promise<void>) {
    this.#client = client;
    this.#host = client.platform.window;
    this.#leaving = leaving;
    this.#changed = changed;
    this.trust = new WorkspaceTrust(
      client,
      () => this.current !== null,
      (trusted) => {
        if (this.current) this.current = { ...this.current, trusted };
      },
    );
    feed.on('workspace', () => void this.refresh());
  }

  /** The user’s home folder, which is shown as `~` in paths. */
  get home(): string | null {
    return this.status?.user_home ?? null;
  }

  /**
   * Reads the status and opens the folder that this window begins with; the failure is of that folder. `subscribed` resolves
   * once the change feed is connected, so that no change after the first reads is missed.
   */
  async start(subscribed: Promise<unknown>): Promise<Failure | null> {
    try {
      const [status, folder] = await Promise.all([this.#client.call('app/status', {}), this.#host.start(), subscribed]);
      [this.status, this.failure] = [status, null];
      if (folder.workspace === null) this.#enter(folder);
      else return await this.#begin(folder.workspace);
    } catch (cause) {
      this.failure = asFailure(cause);
      return null;
    }
    await this.#changed();
    return null;
  }

  /** Opens a folder in this window, or shows the window that has it open. */
  open(path: string): Promise<Failure | null> {
    return this.#openHere(() => this.#client.call('workspace/open', { path }));
  }

  openSample(): Promise<Failure | null> {
    return this.#openHere(() => this.#client.call('workspace/open_sample', {}));
  }

  async close(): Promise<void> {
    await this.#leaving();
    await this.#leave();
    await this.#changed();
  }

  async refresh(): Promise<void> {
    try {
      this.status = await this.#client.call('app/status', {});
      const { workspace } = this.status;
      if (workspace !== null && workspace.path === this.#client.workspace) {
        this.current = workspace;
      }
    } catch {
      // The last status stays; the next call that matters reports what is wrong.
    }
  }

  async answerGitExclude(accept: boolean): Promise<Failure | null> {
    try {
      await this.#client.call('workspace/git_exclude', { accept });
      if (this.current) this.current = { ...this.current, git_exclude_offer: false };
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  async #openHere(call: () => Promise<WorkspaceStatus>): Promise<Failure | null> {
    try {
      await this.#leaving();
      const status = await call();
      const folder = await this.#host.claim(status.path);
      if (folder === null) return null;
      this.#enter(folder, status);
    } catch (cause) {
      return asFailure(cause);
    }
    await this.#changed();
    return null;
  }

  /** A window whose folder can't be opened begins without one. */
  async #begin(workspace: string): Promise<Failure | null> {
    const failure = await this.open(workspace);
    if (failure) {
      await this.#leave();
      await this.#changed();
    }
    return failure;
  }

  async #leave(): Promise<void> {
    this.#enter((await this.#host.claim(null)) ?? { workspace: null, number: 0 });
  }

  #enter({ workspace, number }: WindowFolder, status: WorkspaceStatus | null = null): void {
    this.#client.workspace = workspace;
    this.#client.windowNumber = number;
    this.current = status;
  }
}
