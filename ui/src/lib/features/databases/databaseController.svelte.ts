import { asFailure, LongCall } from '$lib/api';
import { baseName, plural } from '$lib/domain';
import type { Failure, Scope } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'client' | 'clipboard' | 'feed' | 'folders' | 'lifecycle' | 'notifications' | 'platform' | 'settings' | 'toasts'>;

/** Session storage key of the message that is shown after the reload. */
const RESTORED_KEY = 'restored';

const NAMES: Record<Scope, string> = { account: 'account database', workspace: 'workspace database' };

/** Backs up, restores and checks the databases. */
export class DatabaseController {
  /** The database to restore; null while the dialog is closed. */
  restoring = $state.raw<Scope | null>(null);
  path = $state('');
  readonly call: LongCall<'restoring'>;
  /** Why nothing could be restored. Canceling isn’t a failure. */
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

  /** Asks for the backup to restore. */
  restore(scope: Scope): void {
    this.call.abandon();
    [this.restoring, this.path, this.#refused] = [scope, '', null];
  }

  choose(path: string): void {
    this.call.abandon();
    [this.path, this.#refused] = [path, null];
  }

  close(): void {
    if (this.call.busy) this.call.cancel();
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

  /** Replaces the database with the chosen backup. All windows reload afterwards. */
  async apply(): Promise<void> {
    const { lifecycle, settings } = this.#services;
    const { restoring: scope, call } = this;
    const from = this.path.trim();
    if (scope === null || from === '' || call.busy) return;
    this.#refused = null;
    try {
      // Unsaved input belongs to the current database.
      await Promise.all([lifecycle.keep(), settings.flush()]);
    } catch (cause) {
      this.#refused = asFailure(cause);
      return;
    }
    const restored = call.run('restoring', 'db/restore', { scope, from });
    this.#restored = restored;
    const done = await restored;
    if (done === null) return;
    const note = done.previous === null ? '' : ` The previous one is kept as ${done.previous}.`;
    storage()?.setItem(RESTORED_KEY, `Restored the ${NAMES[scope]} from ${baseName(from)}.${note}`);
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
    const { lifecycle, platform } = this.#services;
    // The message about it, and input since then, is stored first.
    await this.#restored;
    await lifecycle.keep().catch(() => undefined);
    platform.window.reload();
  }
}

/** Null in tests. */
const storage = (): Storage | null => (typeof sessionStorage === 'undefined' ? null : sessionStorage);

/** Shows what was restored before the window reloaded. */
export function reportRestore(toasts: Services['toasts']): void {
  const message = storage()?.getItem(RESTORED_KEY);
  storage()?.removeItem(RESTORED_KEY);
  if (message) toasts.show(message, { tone: 'ok' });
}
