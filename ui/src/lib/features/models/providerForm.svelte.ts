import { asFailure, type Client, problemsOf } from '$lib/api';
import type { Failure, KeySource, KindInfo, LocalServer, ModelSetup, Price, ProviderInfo, ProviderKind } from '$lib/api/generated';

export interface PriceRow {
  model: string;
  input: string;
  output: string;
}

/** A provider that is being set up or changed. */
export class ProviderForm {
  name = $state('');
  kind = $state<ProviderKind>('anthropic');
  address = $state('');
  keyFrom = $state<KeySource['from']>('env');
  variable = $state('');
  /** Typed, sent once, and forgotten. */
  key = $state('');
  models = $state('');
  timeout = $state('');
  prices = $state<PriceRow[]>([]);
  problems = $state.raw<Record<string, string>>({});
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly #kinds: readonly KindInfo[];
  readonly #taken: readonly string[];
  readonly #client: Client;
  /** What is changed; null for a new one. */
  readonly known: ProviderInfo | null;
  readonly about = $derived<KindInfo | null>(this.#about());
  readonly needsAddress = $derived(this.about?.base_url === null);

  constructor(client: Client, setup: ModelSetup, known: ProviderInfo | null, from?: LocalServer) {
    this.#client = client;
    this.#kinds = setup.kinds;
    this.#taken = setup.providers.map((one) => one.name);
    this.known = known;
    if (known) this.#fill(known);
    else {
      this.chooseKind(from?.kind ?? setup.kinds[0]?.kind ?? 'anthropic');
      if (from) {
        if (from.base_url !== this.about?.base_url) this.address = from.base_url;
        this.models = from.models.join('\n');
      }
    }
  }

  /** The kind gives what is usual with it. */
  chooseKind(kind: ProviderKind): void {
    this.kind = kind;
    const variable = this.#about()?.key_variable ?? null;
    this.keyFrom = variable === null ? 'none' : 'env';
    this.variable = variable ?? '';
    if (this.known) return;
    const stem = kind === 'openai-compatible' ? 'server' : kind;
    let name: string = stem;
    for (let count = 2; this.#taken.includes(name); count += 1) name = `${stem}-${count}`;
    this.name = name;
  }

  addPrice(): void {
    this.prices = [...this.prices, { model: '', input: '', output: '' }];
  }

  removePrice(index: number): void {
    this.prices = this.prices.filter((_, at) => at !== index);
  }

  /** The provider as it was stored, or null: `problems` and `failure` say why. */
  async submit(): Promise<ProviderInfo | null> {
    if (this.busy) return null;
    this.failure = null;
    this.problems = this.#check();
    if (Object.keys(this.problems).length > 0) return null;
    this.busy = true;
    try {
      const stored = await this.#client.call('model/put', {
        name: this.name.trim(),
        kind: this.kind,
        base_url: this.address.trim() === '' ? null : this.address.trim(),
        key: this.#source(),
        models: this.modelList(),
        prices: this.#priceMap(),
        timeout_seconds: this.timeout.trim() === '' ? null : Number(this.timeout),
      });
      if (this.keyFrom !== 'stored' || this.key.trim() === '') return stored;
      const { key_state } = await this.#client.call('model/set_key', { name: stored.name, key: this.key.trim() });
      this.key = '';
      return { ...stored, key_state };
    } catch (cause) {
      this.failure = asFailure(cause);
      this.problems = problemsOf(this.failure);
      return null;
    } finally {
      this.busy = false;
    }
  }

  modelList(): string[] {
    return [...new Set(this.models.split(/[\n,]/).map((one) => one.trim()).filter(Boolean))];
  }

  #about(): KindInfo | null {
    return this.#kinds.find((one) => one.kind === this.kind) ?? null;
  }

  #fill(known: ProviderInfo): void {
    this.name = known.name;
    this.kind = known.kind;
    this.address = known.base_url ?? '';
    this.keyFrom = known.key.from;
    this.variable = known.key.from === 'env' ? known.key.var : (this.#about()?.key_variable ?? '');
    this.models = known.models.join('\n');
    this.timeout = known.timeout_seconds?.toString() ?? '';
    this.prices = Object.entries(known.prices).map(([model, price]) => ({ model, input: String(price.input), output: String(price.output) }));
  }

  #source(): KeySource {
    if (this.keyFrom === 'env') return { from: 'env', var: this.variable.trim() };
    return { from: this.keyFrom };
  }

  #priceMap(): Record<string, Price> {
    return Object.fromEntries(
      this.prices.map(({ model, input, output }) => {
        const cached = this.known?.prices[model.trim()]?.cached;
        return [model.trim(), { input: Number(input), output: Number(output), ...(cached == null ? {} : { cached }) }];
      }),
    );
  }

  /** What needs no core to be seen. The core checks everything again. */
  #check(): Record<string, string> {
    const problems: Record<string, string> = {};
    if (this.name.trim() === '') problems['name'] = 'Enter a name, such as work.';
    else if (!this.known && this.#taken.includes(this.name.trim())) problems['name'] = 'Another provider has this name.';
    if (this.needsAddress && this.address.trim() === '') problems['base_url'] = 'Enter the URL of the server, such as http://127.0.0.1:8080/v1.';
    if (this.keyFrom === 'env' && this.variable.trim() === '') problems['key'] = 'Enter the name of the environment variable.';
    if (this.keyFrom === 'stored' && this.key.trim() === '' && this.known?.key_state !== 'stored') problems['key'] = 'Enter an API key.';
    if (this.timeout.trim() !== '' && !/^\d+$/.test(this.timeout.trim())) problems['timeout_seconds'] = 'Enter whole seconds, such as 120.';
    const odd = this.prices.some((row) => row.model.trim() === '' || !isPrice(row.input) || !isPrice(row.output));
    if (odd) problems['prices'] = 'Enter a model and two amounts in USD for each price.';
    return problems;
  }
}

const isPrice = (text: string): boolean => /^\d+(\.\d+)?$/.test(text.trim());
