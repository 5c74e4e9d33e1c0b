import { asFailure, type Client, Latest, type SkillKey } from '$lib/api';
import type { Failure, Skill } from '$lib/api/generated';

/** The token cost of a skill, and the locations that have a copy of it. */
export class Info {
  tokens = $state.raw<Skill.TokenCost | null>(null);
  tokensFailure = $state.raw<Failure | null>(null);
  /** Null until loaded. */
  locations = $state.raw<Skill.SkillLocations | null>(null);
  #key: SkillKey | null = null;
  #edits: () => { path: string; text: string }[] = () => [];
  readonly #client: Client;
  readonly #tokens: Latest;
  readonly #locations: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#tokens = new Latest(() => this.#readTokens());
    this.#locations = new Latest(() => this.#readLocations());
  }

  /** Shows another skill, or the same one after a change. */
  follow(key: SkillKey | null, edits: () => { path: string; text: string }[]): void {
    if (key?.id !== this.#key?.id || key?.scope !== this.#key?.scope) {
      this.tokens = null;
      this.locations = null;
      this.tokensFailure = null;
    }
    this.#key = key;
    this.#edits = edits;
    this.refresh();
  }

  refresh(): void {
    if (!this.#key) return;
    this.#tokens.ask();
    this.#locations.ask();
  }

  refreshTokens(): void {
    if (this.#key) this.#tokens.ask();
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

  async #readLocations(): Promise<void> {
    const key = this.#key;
    if (!key) return;
    try {
      const locations = await this.#client.call('skill/locations', { skill: key.id, scope: key.scope });
      if (this.#key === key) this.locations = locations;
    } catch {
      // The resolved name is shown without the copies.
    }
  }
}
