import { asFailure, type Client, problemsOf } from '$lib/api';
import type { Failure, Model } from '$lib/api/generated';
import { ProviderKey } from './providerKey.svelte';
import { ProviderPrices } from './providerPrices.svelte';

interface ProviderFields {
  name: string;
  kind: Model.ProviderKind;
  address: string;
  /** One model a line, or separated by commas. */
  models: string;
  /** Seconds; empty for the default. */
  timeout: string;
}

const splitModels = (text: string): string[] => [...new Set(text.split(/[\n,]/).map((one) => one.trim()).filter(Boolean))];

/** Adds or edits a provider. */
export class ProviderForm {
  readonly fields = $state<ProviderFields>({ name: '', kind: 'anthropic', address: '', models: '', timeout: '' });
  readonly key: ProviderKey;
  readonly prices: ProviderPrices;
  /** By field, as the core names them. */
  problems = $state.raw<Record<string, string>>({});
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly #kinds: readonly Model.KindInfo[];
  /** The names of all providers. */
  readonly #names: readonly string[];
  readonly #client: Client;
  /** The edited provider; null for a new one. */
  readonly known: Model.ProviderInfo | null;
  readonly kindInfo = $derived.by<Model.KindInfo | null>(() => this.#kinds.find((one) => one.kind === this.fields.kind) ?? null);
  /** A server at another address may need none. */
  readonly keyIsOptional = $derived(this.kindInfo?.key_variable === null || this.fields.address.trim() !== '');

  constructor(client: Client, setup: Model.ModelSetup, known: Model.ProviderInfo | null, from?: Model.LocalServer) {
    this.#client = client;
    this.#kinds = setup.kinds;
    this.#names = setup.providers.map((one) => one.name);
    this.known = known;
    this.key = new ProviderKey(known);
    this.prices = new ProviderPrices(known?.prices);
    if (known) this.#fill(known);
    else {
      this.chooseKind(setup.kinds[0]?.kind ?? 'anthropic');
      if (from) this.use(from);
    }
  }

  /** Sets the defaults of the kind, too. */
  chooseKind(kind: Model.ProviderKind): void {
    this.fields.kind = kind;
    this.key.variable = this.kindInfo?.key_variable ?? '';
    if (this.known) return;
    const stem = kind === 'openai-compatible' ? 'server' : kind;
    let name: string = stem;
    for (let count = 2; this.#names.includes(name); count += 1) name = `${stem}-${count}`;
    this.fields.name = name;
  }

  /** The stored provider, or null: `problems` and `failure` have the cause. */
  async submit(): Promise<Model.ProviderInfo | null> {
    if (this.busy) return null;
    this.failure = null;
    this.problems = this.#check();
    if (Object.keys(this.problems).length > 0) return null;
    this.busy = true;
    const { name, kind, address, models, timeout } = this.fields;
    try {
      const stored = await this.#client.call('model/put', {
        name: name.trim(),
        kind,
        base_url: address.trim() === '' ? null : address.trim(),
        key: this.key.source(),
        models: splitModels(models),
        prices: this.prices.toMap(),
        timeout_seconds: timeout.trim() === '' ? null : Number(timeout),
      });
      if (!this.key.isTyped) return stored;
      const { key_state } = await this.#client.call('model/set_key', { name: stored.name, key: this.key.value.trim() });
      this.key.value = '';
      return { ...stored, key_state };
    } catch (cause) {
      this.failure = asFailure(cause);
      this.problems = problemsOf(this.failure);
      return null;
    } finally {
      this.busy = false;
    }
  }

  #fill(known: Model.ProviderInfo): void {
    const { name, kind, base_url, models, timeout_seconds } = known;
    Object.assign(this.fields, { name, kind, address: base_url ?? '', models: models.join('\n'), timeout: timeout_seconds?.toString() ?? '' });
    if (known.key.from !== 'env') this.key.variable = this.kindInfo?.key_variable ?? '';
  }

  /** Takes the values of a server on this machine. */
  use(server: Model.LocalServer): void {
    this.chooseKind(server.kind);
    this.fields.address = server.base_url === this.kindInfo?.base_url ? '' : server.base_url;
    this.fields.models = server.models.join('\n');
  }

  /** Finds what is missing or malformed. The core validates everything again. */
  #check(): Record<string, string> {
    const problems: Record<string, string> = {};
    const { name, address, timeout } = this.fields;
    if (name.trim() === '') problems['name'] = 'Enter a name, such as work.';
    else if (!this.known && this.#names.includes(name.trim())) problems['name'] = 'Another provider has this name.';
    if (this.kindInfo?.base_url === null && address.trim() === '') problems['base_url'] = 'Enter the URL of the server, such as http://127.0.0.1:8080/v1.';
    const key = this.key.problem(this.keyIsOptional);
    if (key !== null) problems['key'] = key;
    if (timeout.trim() !== '' && !/^\d+$/.test(timeout.trim())) problems['timeout_seconds'] = 'Enter whole seconds, such as 120.';
    if (!this.prices.valid()) problems['prices'] = 'Enter a model and two amounts in USD for each price.';
    return problems;
  }
}
