import { Debounce } from '$lib/api';
import type { Services } from './services';

export interface LifecycleHooks {
  /** Runs in parallel with the first call to the core. The window starts once it resolves. */
  start?: () => Promise<unknown>;
  /** Events of the core arrive; the workspace isn't open yet. */
  connected?: () => unknown;
  started?: () => unknown;
  /** The window is mounted. The returned function runs when it is unmounted. */
  mounted?: () => (() => void) | undefined;
  /** The first paint is over. */
  painted?: () => unknown;
  /** Runs when the inspector is created, whichever tab it shows: effects that are created here end with it. */
  inspectorShown?: () => void;
  /** Stores unsaved input, before the workspace or the database changes, or the window closes. */
  keep?: () => Promise<unknown>;
  /** Another workspace is open: drops the state of the one before. */
  reset?: () => void;
  /** The skills of the workspace are loaded. */
  opened?: () => Promise<unknown>;
  /** Some time after `opened`, for work that can wait. */
  idle?: () => void;
}

type Needs = Pick<Services, 'client' | 'feed' | 'settings' | 'catalog' | 'workspace' | 'layout' | 'platform' | 'notifications'>;

const IDLE_MS = 1_000;

/** Runs the hooks of all features, from the start of the window to its end. */
export class Lifecycle {
  started = $state(false);
  /** The first paint is over. */
  painted = $state(false);
  readonly #services: Needs;
  readonly #hooks: readonly LifecycleHooks[];
  readonly #idle: Debounce;
  #settingsRead: Promise<unknown> = Promise.resolve();

  constructor(services: Needs, hooks: readonly LifecycleHooks[]) {
    this.#services = services;
    this.#hooks = hooks;
    this.#idle = new Debounce(IDLE_MS, () => hooks.forEach((one) => one.idle?.()));
  }

  async start(): Promise<void> {
    const { client, feed, settings, workspace, platform, notifications } = this.#services;
    // Calls that don't depend on each other are made in parallel, since each takes a round trip.
    const connected = feed.start(platform, () => client.workspace).catch((cause: unknown) => {
      notifications.report('Couldn’t watch for changes', cause);
    });
    const along = this.#hooks.flatMap((one) => one.start?.() ?? []);
    this.#settingsRead = connected.then(() => settings.load());
    void connected.then(() => this.#hooks.forEach((one) => one.connected?.()));
    notifications.reportFailure('Couldn’t reopen the folder', await workspace.start(connected));
    await Promise.all([this.#settingsRead, ...along]);
    this.started = true;
    for (const one of this.#hooks) one.started?.();
  }

  /** For the shell, after the first paint. */
  setPainted(): void {
    this.painted = true;
    for (const one of this.#hooks) one.painted?.();
  }

  /** For the inspector, when its component is created. */
  inspectorShown(): void {
    for (const one of this.#hooks) one.inspectorShown?.();
  }

  /** Returns a function that runs what the `mounted` hooks returned. */
  mount(): () => void {
    const stops = this.#hooks.map((one) => one.mounted?.());
    return () => {
      for (const stop of stops) stop?.();
      this.#services.feed.stop();
    };
  }

  /** Resolves, or rejects, once every hook is done: one that fails doesn’t cut the others short. */
  async keep(): Promise<void> {
    const kept = this.#hooks.flatMap((one) => one.keep?.() ?? []);
    await Promise.allSettled(kept);
    await Promise.all(kept);
  }

  async workspaceChanged(): Promise<void> {
    const { client, catalog, layout } = this.#services;
    layout.stored.windowKey = client.windowKey;
    for (const one of this.#hooks) one.reset?.();
    await Promise.all([catalog.reload(), this.#settingsRead]);
    await Promise.all(this.#hooks.flatMap((one) => one.opened?.() ?? []));
    this.#idle.touch();
  }
}
