import { asFailure, type Client } from '$lib/api';
import type { Failure, Symbols } from '$lib/api/generated';
import { type ReferenceEvents, ReferenceList } from './referenceList.svelte';
import type { TextsNow } from './vocabulary';

/** The references to a symbol. */
export class References {
  /** The symbol’s name. */
  title = $state('');
  /** Null until a search succeeded. */
  result = $state.raw<Symbols.Uses | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly count = $derived(locationCount(this.result?.uses));
  readonly textMatchCount = $derived(locationCount(this.result?.mentions));
  readonly list: ReferenceList;
  readonly #client: Client;
  #requests = 0;

  constructor(client: Client, events: ReferenceEvents) {
    this.#client = client;
    this.list = new ReferenceList(() => this.result, events);
  }

  async find(texts: TextsNow, info: Symbols.SymbolInformation): Promise<void> {
    const request = ++this.#requests;
    [this.title, this.busy, this.failure] = [info.title, true, null];
    try {
      const result = await this.#client.call('symbol/uses', { skill: texts.key.id, scope: texts.key.scope, symbol: info.symbol, edits: texts.edits() });
      if (request !== this.#requests) return;
      this.result = result;
      this.list.reset();
    } catch (cause) {
      if (request === this.#requests) [this.failure, this.result] = [asFailure(cause), null];
    } finally {
      if (request === this.#requests) this.busy = false;
    }
  }

  /** Shows references that are already known. */
  show(title: string, result: Symbols.Uses): void {
    this.#requests += 1;
    [this.title, this.result, this.failure, this.busy] = [title, result, null, false];
    this.list.reset();
  }

  clear(): void {
    this.#requests += 1;
    [this.title, this.result, this.failure, this.busy] = ['', null, null, false];
    this.list.reset();
  }
}

const locationCount = (files: readonly Symbols.FileLocations[] | undefined): number => (files ?? []).reduce((sum, { locations }) => sum + locations.length, 0);
