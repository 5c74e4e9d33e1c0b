import { asFailure, type Client } from '$lib/api';
import type { Failure, Token } from '$lib/api/generated';

export type TokenState = 'valid' | 'expired' | 'revoked';

export interface ListedToken extends Token.AccessToken {
  state: TokenState;
}

/** The tokens of the account, and the dialog that revokes one. */
export class TokenList {
  /** Valid ones first, each part by name; null until they are read. */
  list = $state.raw<readonly ListedToken[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The token that the dialog is about. */
  revoking = $state.raw<Token.AccessToken | null>(null);
  revokeFailure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly #client: Client;
  readonly #revoked: (token: Token.AccessToken) => void;
  #request = 0;

  constructor(client: Client, revoked: (token: Token.AccessToken) => void) {
    this.#client = client;
    this.#revoked = revoked;
  }

  async load(): Promise<void> {
    const request = ++this.#request;
    try {
      const { tokens } = await this.#client.call('token/list', {});
      if (request !== this.#request) return;
      this.failure = null;
      const listed = tokens.map((token) => ({ ...token, state: tokenState(token) }));
      const sorted = [...listed.filter(isValid), ...listed.filter((token) => !isValid(token))];
      // The same list while nothing changes, so that nothing is drawn again.
      if (JSON.stringify(sorted) !== JSON.stringify(this.list)) this.list = sorted;
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
  }

  ask(token: Token.AccessToken): void {
    [this.revoking, this.revokeFailure] = [token, null];
  }

  close(): void {
    this.revoking = null;
  }

  async revoke(): Promise<void> {
    if (this.revoking === null || this.busy) return;
    this.busy = true;
    try {
      const token = await this.#client.call('token/revoke', { token: this.revoking.id });
      this.close();
      this.#revoked(token);
      await this.load();
    } catch (cause) {
      this.revokeFailure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}

export function tokenState({ revoked_at, expires_at }: Pick<Token.AccessToken, 'revoked_at' | 'expires_at'>, now = Date.now()): TokenState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'valid';
}

const isValid = ({ state }: ListedToken): boolean => state === 'valid';
