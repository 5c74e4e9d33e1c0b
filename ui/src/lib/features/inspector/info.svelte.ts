import { asFailure, type Client, Latest, type SkillKey } from '$lib/api';
import type { Failure, Revision, TokenCost } from '$lib/wire';

export interface RevisionText {
  number: number;
  text: string;
}

/** What a skill costs, and how it came to be as it is. */
export class Info {
  tokens = $state.raw<TokenCost | null>(null);
  tokensFailure = $state.raw<Failure | null>(null);
  revisions = $state.raw<Revision[] | null>(null);
  historyFailure = $state.raw<Failure | null>(null);
  #key: SkillKey | null = null;
  #edits: () => { path: string; text: string }[] = () => [];
  readonly #client: Client;
  readonly #tokens: Latest;
  readonly #history: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#tokens = new Latest(() => this.#readTokens());
    this.#history = new Latest(() => this.#readHistory());
  }

  /** Shows another skill, or the same one after a change. */
  follow(key: SkillKey | null, edits: () => { path: string; text: string }[]): void {
    if (key?.id !== this.#key?.id || key?.scope !== this.#key?.scope) {
      this.tokens = null;
      this.revisions = null;
      this.tokensFailure = null;
      this.historyFailure = null;
    }
    this.#key = key;
    this.#edits = edits;
    this.refresh();
  }

  refresh(): void {
    if (!this.#key) return;
    this.#tokens.ask();
    this.#history.ask();
  }

  refreshTokens(): void {
    if (this.#key) this.#tokens.ask();
  }

  /** A file as it was after a revision; empty when it wasn't there. */
  async textAt(key: SkillKey, number: number, path: string): Promise<string> {
    if (number < 1) return '';
    const file = await this.#client.call('skill/revision', { skill: key.id, scope: key.scope, number, path });
    return file.text ?? '';
  }

  async #readTokens(): Promise<void> {
    const key = this.#key;
    if (!key) return;
    try {
      const edits = this.#edits();
      const tokens = await this.#client.call('skill/tokens', {
        skill: key.id,
        scope: key.scope,
        ...(edits.length > 0 ? { edits } : {}),
      });
      if (this.#key === key) {
        this.tokens = tokens;
        this.tokensFailure = null;
      }
    } catch (cause) {
      if (this.#key === key) this.tokensFailure = asFailure(cause);
    }
  }

  async #readHistory(): Promise<void> {
    const key = this.#key;
    if (!key) return;
    try {
      const { revisions } = await this.#client.call('skill/history', { skill: key.id, scope: key.scope });
      if (this.#key === key) {
        this.revisions = [...revisions].sort((a, b) => b.number - a.number);
        this.historyFailure = null;
      }
    } catch (cause) {
      if (this.#key === key) this.historyFailure = asFailure(cause);
    }
  }
}
