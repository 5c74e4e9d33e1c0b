import { SvelteMap } from 'svelte/reactivity';
import type { Failure, Model, ModelRef } from '$lib/api/generated';
import type { Client } from './client';
import { asFailure } from './failure';
import type { ChangeFeed } from './changeFeed';
import { Latest } from './timing';

export interface Offer {
  models: string[];
  failure: Failure | null;
  busy: boolean;
}

/** The configured providers and the models that they list. */
export class Models {
  setup = $state.raw<Model.ModelSetup | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #offers = new SvelteMap<string, Offer>();
  readonly #client: Client;
  readonly #latest: Latest;
  #asked = 0;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#latest = new Latest(() => this.load());
    feed.on('setting', (event) => {
      if (event.ids.length === 0 || event.ids.includes('models')) this.#latest.ask();
    });
  }

  async load(): Promise<void> {
    const turn = ++this.#asked;
    try {
      const setup = await this.#client.call('model/list', {});
      // The reply to an earlier call may arrive last.
      if (turn !== this.#asked) return;
      this.setup = setup;
      this.failure = null;
    } catch (cause) {
      if (turn === this.#asked) this.failure = asFailure(cause);
    }
  }

  get default(): ModelRef | null {
    return this.setup?.default ?? null;
  }

  provider(name: string): Model.ProviderInfo | undefined {
    return this.setup?.providers.find((one) => one.name === name);
  }

  isLocal(model: ModelRef | null): boolean {
    if (model === null) return false;
    const kind = this.provider(providerOf(model))?.kind;
    return this.setup?.kinds.some((one) => one.kind === kind && one.local) ?? false;
  }

  offer(name: string): Offer | undefined {
    return this.#offers.get(name);
  }

  /** Lists a provider's models, unless its key is missing. */
  async ask(name: string): Promise<void> {
    if (this.#offers.get(name)?.busy) return;
    const known = this.#offers.get(name)?.models ?? [];
    this.#offers.set(name, { models: known, failure: null, busy: true });
    try {
      const { models, failure } = await this.#client.call('model/offered', { name });
      this.#offers.set(name, { models, failure, busy: false });
    } catch (cause) {
      this.#offers.set(name, { models: known, failure: asFailure(cause), busy: false });
    }
  }

  forgetOffer(name: string): void {
    this.#offers.delete(name);
  }

  /** Null on success. */
  async choose(model: ModelRef | null): Promise<Failure | null> {
    try {
      await this.#client.call('model/set_default', { model });
      await this.load();
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }
}

/** The provider of `provider/model`; the model's own id may have slashes. */
export const providerOf = (model: ModelRef): string => model.slice(0, Math.max(0, model.indexOf('/')));
