import { Debounce } from '$lib/api';
import type { Services } from './services';

/** What a feature does as the window starts, changes its folder and ends. */
export interface LifecycleHooks {
  /** Along with the first call to the core; the window counts as started once it is done. */
  start?: () => Promise<unknown>;
  /** The core's events arrive: what needs no folder is read. */
  connected?: () => unknown;
  started?: () => unknown;
  /** The window is drawn. Returns how to stop. */
  mounted?: () => (() => void) | undefined;
  /** Stores what is typed and not stored yet: the folder or the database is about to change. */
  keep?: () => Promise<unknown>;
  /** Another folder is open: what belongs to the former one goes. */
  reset?: () => void;
  /** The skills of the folder are known. */
  opened?: () => Promise<unknown>;
  /** A while later: what the window doesn't begin with. */
  idle?: () => void;
}

type Needs = Pick<Services, 'client' | 'feed' | 'settings' | 'catalog' | 'workspace' | 'layout' | 'platform' | 'notifications'>;

const IDLE_MS = 1_000;

/** The window from its start to its end, and the change of its folder in between. */
export class Lifecycle {
  started = $state(false);
  /** The first paint is over: what doesn't belong to it is loaded. */
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
    // Each call is a way to the core and back: what doesn't need the answer of another goes along with it.
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

  /** Returns how to end what goes on as long as the window is drawn. */
  mount(): () => void {
    const stops = this.#hooks.map((one) => one.mounted?.());
    return () => {
      for (const stop of stops) stop?.();
      this.#services.feed.stop();
    };
  }

  async keep(): Promise<void> {
    await Promise.all(this.#hooks.flatMap((one) => one.keep?.() ?? []));
  }

  async workspaceChanged(): Promise<void> {
    const { client, catalog, layout } = this.#services;
    layout.place = client.place;
    for (const one of this.#hooks) one.reset?.();
    await Promise.all([catalog.reload(), this.#settingsRead]);
    await Promise.all(this.#hooks.flatMap((one) => one.opened?.() ?? []));
    this.#idle.touch();
  }
}
