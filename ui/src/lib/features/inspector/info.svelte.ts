import { asFailure, type Client, Latest, type SkillKey } from '$lib/api';
import type { Failure, Skill } from '$lib/api/generated';

/** The token cost of a skill, and the places that have a copy of it. */
export class Info {
  tokens = $state.raw<Skill.TokenCost | null>(null);
  tokensFailure = $state.raw<Failure | null>(null);
  /** Null until loaded. */
  places = $state.raw<Skill.SkillLocations | null>(null);
  #key: SkillKey | null = null;
  #edits: () => { path: string; text: string }[] = () => [];
  readonly #client: Client;
  readonly #tokens: Latest;
  readonly #places: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#tokens = new Latest(() => this.#readTokens());
    this.#places = new Latest(() => this.#readPlaces());
  }

  /** Shows another skill, or the same one after a change. */
  follow(key: SkillKey | null, edits: () => { path: string; text: string }[]): void {
    if (key?.id !== this.#key?.id || key?.scope !== this.#key?.scope) {
      this.tokens = null;
      this.places = null;
      this.tokensFailure = null;
    }
    this.#key = key;
    this.#edits = edits;
    this.refresh();
  }

  refresh(): void {
    if (!this.#key) return;
    this.#tokens.ask();
    this.#places.ask();
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

  async #readPlaces(): Promise<void> {
    const key = this.#key;
    if (!key) return;
    try {
      const places = await this.#client.call('skill/places', { skill: key.id, scope: key.scope });
      if (this.#key === key) this.places = places;
    } catch {
      // The resolved name is shown without the copies.
    }
  }
}
