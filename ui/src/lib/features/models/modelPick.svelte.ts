import { type Models, providerOf } from '$lib/api';
import { matchText } from '$lib/domain';
import type { Model, ModelRef } from '$lib/api/generated';

export interface Choice {
  model: ModelRef;
  provider: Model.ProviderInfo;
  /** Characters of the model that the query matched. */
  at: number[];
  isDefault: boolean;
  /** Whether the model was typed and the provider doesn't list it. */
  typed: boolean;
}

/** Lists the models of all providers. */
export class ModelPick {
  query = $state('');
  title = $state('');
  readonly models: Models;
  readonly choices = $derived.by(() => this.#find());
  readonly busy = $derived.by(() => this.models.setup?.providers.some((one) => this.models.offer(one.name)?.busy) ?? false);

  constructor(models: Models) {
    this.models = models;
  }

  /** Asks each provider with a key for its models. */
  start(title: string): void {
    this.query = '';
    this.title = title;
    for (const provider of this.models.setup?.providers ?? []) {
      if (provider.key_state !== 'missing' && !this.models.offer(provider.name)) void this.models.ask(provider.name);
    }
  }

  /** Those listed in the settings come first. */
  modelsOf(provider: Model.ProviderInfo): string[] {
    return [...new Set([...provider.models, ...(this.models.offer(provider.name)?.models ?? [])])];
  }

  #find(): Choice[] {
    const { setup } = this.models;
    if (!setup) return [];
    const query = this.query.trim();
    const all = setup.providers.flatMap((provider) => this.modelsOf(provider).map((model) => ({ provider, model: `${provider.name}/${model}` })));
    const known = new Set(all.map((one) => one.model));
    // The current model may not be listed by its provider.
    const current = setup.default;
    const owner = current === null || known.has(current) ? undefined : this.models.provider(providerOf(current));
    if (current !== null && owner) all.unshift({ provider: owner, model: current });
    const ranked = all.flatMap(({ provider, model }) => {
      const match = matchText(query, model);
      const isDefault = model === current;
      return match ? [{ provider, model, at: match.at, isDefault, typed: false, score: match.score + (isDefault ? 5 : 0) }] : [];
    });
    if (query !== '') ranked.sort((a, b) => b.score - a.score);
    const found: Choice[] = ranked;
    const typedOwner = query.includes('/') && !known.has(query) ? this.models.provider(providerOf(query)) : undefined;
    if (typedOwner && query.length > typedOwner.name.length + 1) found.push({ provider: typedOwner, model: query, at: [], isDefault: false, typed: true });
    return found;
  }
}
