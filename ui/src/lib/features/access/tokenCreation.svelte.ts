import { asFailure, type Client } from '$lib/api';
import type { Failure, Token } from '$lib/api/generated';

const DEFAULT_DAYS = 90;

/** The dialog that creates a token, and then shows its secret once. */
export class TokenCreation {
  isOpen = $state(false);
  name = $state('');
  role = $state<Token.RemoteRole>('member');
  /** Null if it doesn’t expire. */
  days = $state<number | null>(DEFAULT_DAYS);
  external = $state(false);
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Once the token is created. Forgotten when the dialog closes. */
  created = $state.raw<{ name: string; secret: string } | null>(null);
  readonly #client: Client;
  readonly #changed: () => void;
  /** Counts how often the dialog was opened or closed. */
  #sequence = 0;

  constructor(client: Client, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
  }

  start(): void {
    this.#sequence += 1;
    [this.name, this.role, this.days, this.external, this.failure, this.created, this.isOpen] = ['', 'member', DEFAULT_DAYS, false, null, null, true];
  }

  close(): void {
    this.#sequence += 1;
    [this.isOpen, this.created] = [false, null];
  }

  async create(): Promise<void> {
    if (!this.isOpen || this.busy || this.created !== null) return;
    this.busy = true;
    this.failure = null;
    const sequence = this.#sequence;
    try {
      const { token, secret } = await this.#client.call('token/create', { name: this.name.trim(), role: this.role, external: this.external, days: this.days });
      // The secret of a dialog that was closed meanwhile is lost; the token can be revoked.
      if (sequence === this.#sequence) this.created = { name: token.name, secret };
      this.#changed();
    } catch (cause) {
      if (sequence === this.#sequence) this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}
