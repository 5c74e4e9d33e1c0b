import { asFailure, LongCall } from '$lib/api';
import { baseName, plural } from '$lib/domain';
import type { Failure, Scope } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'client' | 'clipboard' | 'feed' | 'folders' | 'library' | 'notifications' | 'platform' | 'settings' | 'tabs' | 'toasts'>;

/** What is said once the window was loaded again. */
const SAID = 'restored';

const NAMES: Record<Scope, string> = { account: 'account database', workspace: 'workspace database' };

/** Backs up, restores and checks the databases. */
export class DatabaseController {
  /** The database for which a backup is chosen. */
  restoring = $state.raw<Scope | null>(null);
  path = $state('');
  readonly call: LongCall<'restoring'>;
  /** Why nothing could be restored; stopping it is no failure. */
  readonly failure = $derived.by<Failure | null>(() => this.#refused ?? (this.call.failure?.code === 'cancelled' ? null : this.call.failure));
  #refused = $state.raw<Failure | null>(null);
  readonly what = $derived(NAMES[this.restoring ?? 'account']);
  #restored: Promise<unknown> = Promise.resolve();
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.call = new LongCall(services.client);
    services.feed.on('database', () => void this.#reload());
  }

  /** Tells what was restored before the window was loaded again. */
  start(): void {
    const said = stored()?.getItem(SAID);
    stored()?.removeItem(SAID);
    if (said) this.#services.toasts.show(said, { tone: 'ok' });
  }

  async check(scope: Scope): Promise<void> {
    const { client, toasts, notifications } = this.#services;
    const name = NAMES[scope];
    try {
      const { ok, findings } = await client.call('db/check', { scope });
      if (ok) {
        toasts.show(`The ${name} has no problems`, { tone: 'ok' });
        return;
      }
      toasts.show(`The ${name} is damaged: ${plural(findings.length, 'problem')} found`, {
        tone: 'error',
        hint: `${findings[0] ?? ''} Restore it from a backup.`.trim(),
        actions: [{ label: 'Restore…', run: () => this.restore(scope) }],
      });
    } catch (cause) {
      if (asFailure(cause).code !== 'cancelled') notifications.report(`Couldn’t check the ${name}`, cause, () => this.check(scope));
    }
  }

  backUp(scope: Scope): void {
    this.#services.folders.ask({
      title: `Back up the ${NAMES[scope]} to a folder`,
      verb: 'Back up to',
      done: (to) => {
        void this.#copy(scope, to);
        return null;
      },
    });
  }

  /** Asks for a backup that takes the place of the database. */
  restore(scope: Scope): void {
    this.call.drop();
    [this.restoring, this.path, this.#refused] = [scope, '', null];
  }

  /** The path of the backup. */
  choose(path: string): void {
    this.call.drop();
    [this.path, this.#refused] = [path, null];
  }

  close(): void {
    if (this.call.busy) this.call.stop();
    else this.restoring = null;
  }

  async browse(): Promise<void> {
    try {
      const path = await this.#services.platform.pickPath?.(`Restore the ${this.what} from a backup`, 'database');
      if (path) this.choose(path);
    } catch (cause) {
      this.#refused = asFailure(cause);
    }
  }

  /** Puts the chosen backup in the database’s place. All windows are loaded again once that is done. */
  async apply(): Promise<void> {
    const { tabs, library, settings } = this.#services;
    const { restoring: scope, call } = this;
    const from = this.path.trim();
    if (scope === null || from === '' || call.busy) return;
    this.#refused = null;
    try {
      // What isn't stored yet belongs to the database that is there now.
      await Promise.all([tabs.keepAll(), library.keep(), settings.flush()]);
    } catch (cause) {
      this.#refused = asFailure(cause);
      return;
    }
    const restored = call.run('restoring', 'db/restore', { scope, from });
    this.#restored = restored;
    const done = await restored;
    if (done === null) return;
    const note = done.kept === null ? '' : ` The previous one is kept as ${done.kept}.`;
    stored()?.setItem(SAID, `Restored the ${NAMES[scope]} from ${baseName(from)}.${note}`);
    this.restoring = null;
  }

  async #copy(scope: Scope, to: string): Promise<void> {
    const { client, toasts, notifications } = this.#services;
    try {
      const { copy } = await client.call('db/backup', { scope, to });
      toasts.show(`Backed up the ${NAMES[scope]} to ${copy}`, { tone: 'ok', actions: [{ label: 'Copy path', run: () => this.#services.clipboard.copy(copy, 'the path') }] });
    } catch (cause) {
      if (asFailure(cause).code !== 'cancelled') notifications.report(`Couldn’t back up the ${NAMES[scope]}`, cause, () => this.backUp(scope));
    }
  }

  async #reload(): Promise<void> {
    const { tabs, library, platform } = this.#services;
    // What this window says about it, and what was typed in the meantime, is stored first.
    await this.#restored;
    await Promise.allSettled([tabs.keepAll(), library.keep()]);
    platform.window.reload();
  }
}

/** For as long as the window lives; tests have none. */
const stored = (): Storage | null => (typeof sessionStorage === 'undefined' ? null : sessionStorage);
