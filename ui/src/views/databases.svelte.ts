import { asFailure } from '$lib/api';
import { baseName, plural } from '$lib/domain';
import type { Failure, Scope } from '$lib/wire';
import type { Studio } from './studio.svelte';

/** What is said once the window was loaded again. */
const SAID = 'restored';

const NAMES: Record<Scope, string> = { account: 'account database', workspace: 'workspace database' };

/** Backs up, restores and checks the databases. */
export class Databases {
  /** The database for which a backup is chosen. */
  restoring = $state.raw<Scope | null>(null);
  path = $state('');
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly what = $derived(NAMES[this.restoring ?? 'account']);
  #restored: Promise<unknown> = Promise.resolve();
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
    studio.feed.on('database', () => void this.#reload());
  }

  /** Tells what was restored before the window was loaded again. */
  start(): void {
    const said = stored()?.getItem(SAID);
    stored()?.removeItem(SAID);
    if (said) this.#studio.toasts.show(said, { tone: 'ok' });
  }

  async check(scope: Scope): Promise<void> {
    const { client, toasts, actions } = this.#studio;
    const name = NAMES[scope];
    try {
      const { ok, findings } = await client.call('db/check', { scope });
      if (ok) {
        toasts.show(`The ${name} is intact`, { tone: 'ok' });
        return;
      }
      toasts.show(`The ${name} is damaged: ${plural(findings.length, 'problem')} found`, {
        tone: 'error',
        hint: `${findings[0] ?? ''} Restore it from a backup.`.trim(),
        actions: [{ label: 'Restore…', run: () => this.restore(scope) }],
      });
    } catch (cause) {
      actions.report(`Couldn’t check the ${name}`, cause, () => this.check(scope));
    }
  }

  backUp(scope: Scope): void {
    const { folders, client, toasts } = this.#studio;
    folders.ask({
      title: `Back up the ${NAMES[scope]} to a folder`,
      verb: 'Back up to',
      done: async (to) => {
        try {
          const { copy } = await client.call('db/backup', { scope, to });
          toasts.show(`Backed up the ${NAMES[scope]} to ${copy}`, { tone: 'ok', actions: [{ label: 'Copy path', run: () => this.#studio.copy(copy, 'the path') }] });
          return null;
        } catch (cause) {
          return asFailure(cause);
        }
      },
    });
  }

  restore(scope: Scope): void {
    [this.restoring, this.path, this.failure] = [scope, '', null];
  }

  close(): void {
    if (!this.busy) this.restoring = null;
  }

  async browse(): Promise<void> {
    try {
      const path = await this.#studio.platform.pickPath?.(`Restore the ${this.what} from a backup`, 'database');
      if (path) [this.path, this.failure] = [path, null];
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  /** Puts the chosen backup in the database’s place. All windows are loaded again once that is done. */
  async apply(): Promise<void> {
    const { client, tabs, library, settings } = this.#studio;
    const { restoring: scope, path } = this;
    if (scope === null || path.trim() === '' || this.busy) return;
    [this.busy, this.failure] = [true, null];
    try {
      // What isn't stored yet belongs to the database that is there now.
      await Promise.all([tabs.keepAll(), library.keep(), settings.flush()]);
      const restored = client.call('db/restore', { scope, from: path.trim() });
      this.#restored = restored;
      const { kept } = await restored;
      const note = kept === null ? '' : ` The one before is kept as ${kept}.`;
      stored()?.setItem(SAID, `Restored the ${NAMES[scope]} from ${baseName(path.trim())}.${note}`);
      this.restoring = null;
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }

  async #reload(): Promise<void> {
    await this.#restored.catch(() => undefined);
    // What this window says about it is stored first.
    await Promise.resolve();
    this.#studio.platform.window.reload();
  }
}

/** For as long as the window lives; tests have none. */
const stored = (): Storage | null => (typeof sessionStorage === 'undefined' ? null : sessionStorage);
