import { asFailure, type Client, type ChangeFeed } from '$lib/api';
import type { HostWindow, Place } from '$lib/platform';
import type { AppStatus, Banner, Failure, WorkspaceStatus } from '$lib/api/generated';

/** Which folder is open, and what the core says about itself. */
export class Workspace {
  status = $state.raw<AppStatus | null>(null);
  current = $state.raw<WorkspaceStatus | null>(null);
  failure = $state.raw<Failure | null>(null);
  opening = $state(false);
  /** The question whether to trust the workspace is on the screen. */
  trustAsked = $state(false);
  trustVerb = $state('Trust');
  #answer: ((trusted: boolean) => void) | null = null;
  #hidden = $state.raw<string[]>([]);
  readonly banners = $derived(
    [...(this.status?.banners ?? []), ...(this.current?.banners ?? [])].filter(
      (banner) => !this.#hidden.includes(banner.message),
    ),
  );
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
    feed.on('workspace', () => void this.refresh());
  }

  /** The person's home folder, which paths are shortened by. */
  get home(): string | null {
    return this.status?.user_home ?? null;
  }

  /**
   * Reads the status and opens the folder that this window begins with; the failure is of that folder. `heard`: changes are
   * listened to, so that what is read from then on stays current.
   */
  async start(heard: Promise<unknown>): Promise<Failure | null> {
    try {
      const [status, place] = await Promise.all([this.#client.call('app/status', {}), this.#host.start(), heard]);
      [this.status, this.failure] = [status, null];
      if (place.workspace === null) this.#enter(place);
      else return await this.#begin(place.workspace);
    } catch (cause) {
      this.failure = asFailure(cause);
      return null;
    }
    await this.#changed();
    return null;
  }

  /** Opens a folder in this window; one that another window has is shown there. */
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
      // What was known stays; the next call that matters says what is wrong.
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

  /** Asks the person; true once the workspace is trusted. */
  async askTrust(verb = 'Trust'): Promise<boolean> {
    if (!this.current) return false;
    this.#answer?.(false);
    this.trustVerb = verb;
    this.trustAsked = true;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  declineTrust(): void {
    this.#answered(false);
  }

  /** Null when it was recorded. */
  async trust(trusted: boolean): Promise<Failure | null> {
    try {
      await this.#client.call('workspace/trust', { trusted });
      if (this.current) this.current = { ...this.current, trusted };
      this.#answered(trusted);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  #answered(trusted: boolean): void {
    this.trustAsked = false;
    this.#answer?.(trusted);
    this.#answer = null;
  }

  dismiss(banner: Banner): void {
    this.#hidden = [...this.#hidden, banner.message];
  }

  async #openHere(call: () => Promise<WorkspaceStatus>): Promise<Failure | null> {
    this.opening = true;
    try {
      await this.#leaving();
      const status = await call();
      const place = await this.#host.take(status.path);
      if (place === null) return null;
      this.#enter(place, status);
    } catch (cause) {
      return asFailure(cause);
    } finally {
      this.opening = false;
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
    // Nobody else can be without a folder in the same place.
    this.#enter((await this.#host.take(null)) ?? { workspace: null, number: 0 });
  }

  #enter({ workspace, number }: Place, status: WorkspaceStatus | null = null): void {
    this.#client.workspace = workspace;
    this.#client.number = number;
    this.current = status;
  }
}
