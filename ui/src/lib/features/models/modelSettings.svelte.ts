import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, type Models } from '$lib/api';
import type { Failure, Model } from '$lib/api/generated';
import { ProviderForm } from './providerForm.svelte';
import { ProviderRemoval } from './providerRemoval.svelte';
import { ServerDiscovery } from './serverDiscovery.svelte';

export interface Trial {
  busy: boolean;
  report: Model.TestReport | null;
  failure: Failure | null;
}

export class ModelSettings {
  form = $state.raw<ProviderForm | null>(null);
  /** Why the provider of the form, which is stored, lists no models. */
  unreachable = $state.raw<Failure | null>(null);
  readonly trials = new SvelteMap<string, Trial>();
  readonly removal: ProviderRemoval;
  readonly discovery: ServerDiscovery;
  readonly models: Models;
  readonly #client: Client;

  constructor(client: Client, models: Models) {
    this.#client = client;
    this.models = models;
    this.removal = new ProviderRemoval(client, models, (name) => this.trials.delete(name));
    this.discovery = new ServerDiscovery(client, models);
  }

  add(from?: Model.LocalServer): void {
    if (!this.models.setup) return;
    this.unreachable = null;
    this.form = new ProviderForm(this.#client, this.models.setup, null, from);
    void this.discovery.start();
  }

  edit(provider: Model.ProviderInfo): void {
    this.unreachable = null;
    if (this.models.setup) this.form = new ProviderForm(this.#client, this.models.setup, provider);
  }

  /** Stores the provider and closes the form, unless it lists no models: then the form says why. */
  async submit(): Promise<void> {
    const form = this.form;
    const stored = await form?.submit();
    if (!form || !stored) return;
    this.models.forgetOffer(stored.name);
    await this.models.load();
    const failure = await this.#check(form, stored);
    if (this.form === form) this.form = failure && this.models.setup ? new ProviderForm(this.#client, this.models.setup, stored) : null;
    this.unreachable = failure;
    if (failure) return;
    // The core makes a provider's first listed model the default. If none is listed, ask the provider.
    if (this.models.default === null && stored.key_state !== 'missing') {
      if (!this.models.offer(stored.name)) await this.models.ask(stored.name);
      const [first] = this.models.offer(stored.name)?.models ?? [];
      if (first !== undefined) await this.models.choose(`${stored.name}/${first}`);
    }
  }

  /** Asks for the models, which shows whether the address and the key are right. A server with typed models may list none. */
  async #check(form: ProviderForm, stored: Model.ProviderInfo): Promise<Failure | null> {
    if (stored.key_state === 'missing' || stored.models.length > 0) return null;
    form.busy = true;
    await this.models.ask(stored.name);
    form.busy = false;
    return this.models.offer(stored.name)?.failure ?? null;
  }

  /** Sends a short request. */
  async test(name: string): Promise<void> {
    if (this.trials.get(name)?.busy) return;
    this.trials.set(name, { busy: true, report: null, failure: null });
    const model = this.models.default;
    const target = model?.startsWith(`${name}/`) ? model : name;
    try {
      const report = await this.#client.call('model/test', { target });
      this.trials.set(name, { busy: false, report, failure: null });
    } catch (cause) {
      this.trials.set(name, { busy: false, report: null, failure: asFailure(cause) });
    }
  }
}
