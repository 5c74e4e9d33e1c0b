import type { Models } from '$lib/api';

/** Asks each provider with a key for its models. */
export function offerModels(models: Models): void {
  for (const provider of models.setup?.providers ?? []) {
    if (provider.key_state !== 'missing' && !models.offer(provider.name)) void models.ask(provider.name);
  }
}

/** The models that can be chosen, the default model first. */
export function modelChoices(models: Models): string[] {
  const { setup } = models;
  const listed = (setup?.providers ?? []).flatMap(({ name, models: own }) => [...own, ...(models.offer(name)?.models ?? [])].map((model) => `${name}/${model}`));
  return [...new Set([...(setup?.default ? [setup.default] : []), ...listed])];
}
