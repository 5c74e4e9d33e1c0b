import { SvelteMap } from 'svelte/reactivity';
import { asFailure, type Client, type Models } from '$lib/api';
import type { Failure, LocalServer, ProviderInfo, TestReport } from '$lib/api/generated';
import { ProviderForm } from './providerForm.svelte';

export interface Trial {
  busy: boolean;
  report: TestReport | null;
  failure: Failure | null;
}

/** Settings of models: the providers, trying them out, and what runs on this machine. */
export class ModelSettings {
  form = $state.raw<ProviderForm | null>(null);
  /** The provider that is asked about before it goes. */
  leaving = $state.raw<ProviderInfo | null>(null);
  leavingFailure = $state.raw<Failure | null>(null);
  servers = $state.raw<LocalServer[] | null>(null);
  looking = $state(false);
  lookFailure = $state.raw<Failure | null>(null);
  readonly trials = new SvelteMap<string, Trial>();
  /** What was found and isn't set up already. */
  readonly found = $derived.by(() => {
    const known = new Set(this.models.setup?.providers.map((one) => one.address));
    return (this.servers ?? []).filter((server) => !known.has(server.base_url));
  });
  readonly models: Models;
  readonly #client: Client;

  constructor(client: Client, models: Models) {
    this.#client = client;
    this.models = models;
  }

  add(from?: LocalServer): void {
    if (this.models.setup) this.form = new ProviderForm(this.#client, this.models.setup, null, from);
  }

  edit(provider: ProviderInfo): void {
    if (this.models.setup) this.form = new ProviderForm(this.#client, this.models.setup, provider);
  }

  /** Stores what the form has; then it is closed and tried out. */
  async submit(): Promise<void> {
    const form = this.form;
    const stored = await form?.submit();
    if (!stored) return;
    if (this.form === form) this.form = null;
    this.models.forgetOffer(stored.name);
    await this.models.load();
    // A provider's first model becomes the default by itself; one that lists none has to be asked.
    if (this.models.default === null && stored.key_state !== 'missing') {
      await this.models.ask(stored.name);
      const [first] = this.models.offer(stored.name)?.models ?? [];
      if (first !== undefined) await this.models.choose(`${stored.name}/${first}`);
    }
  }

  async remove(): Promise<void> {
    const provider = this.leaving;
    if (!provider) return;
    try {
      await this.#client.call('model/remove', { name: provider.name });
      this.leaving = null;
      this.leavingFailure = null;
      this.trials.delete(provider.name);
      await this.models.load();
    } catch (cause) {
      this.leavingFailure = asFailure(cause);
    }
  }

  /** Sends a tiny request. */
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

  /** Looks for servers on this machine: only when asked to. */
  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      this.servers = (await this.#client.call('model/discover', {})).servers;
      this.lookFailure = null;
    } catch (cause) {
      this.lookFailure = asFailure(cause);
    } finally {
      this.looking = false;
    }
  }
}
