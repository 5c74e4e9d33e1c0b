import type { Platform } from '$lib/platform';

/**
 * The services of the window, by name. A feature declares its own beside its contribution (`declare module '$lib/workbench/services'`), so that
 * this file knows none of them. Code takes only the services that it uses: `Pick<Services, 'tabs' | 'toasts'>`.
 */
export interface Services {
  readonly platform: Platform;
}

/** Factories by service. Factories may use other services, but not in a cycle; later any service may call any other. */
export type Providers = { readonly [Name in keyof Services]?: (services: Services) => Services[Name] };

/** Creates each service when another one first uses it, then the rest. */
export function createServices(platform: Platform, providers: readonly Providers[]): Services {
  const services = Object.create(null) as Services;
  const making: string[] = [];
  const add = (name: string, make: (services: Services) => unknown): void => {
    if (name in services) throw new Error(`service ${name} exists already`);
    Object.defineProperty(services, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        if (making.includes(name)) throw new Error(`service ${[...making, name].join(' -> ')} needs itself`);
        making.push(name);
        const value = make(services);
        making.pop();
        Object.defineProperty(services, name, { value, enumerable: true });
        return value;
      },
    });
  };
  add('platform', () => platform);
  for (const one of providers) for (const [name, make] of Object.entries(one)) add(name, make);
  // Not lazily: a `$derived` that is created with a component ends with it.
  Object.values(services);
  return services;
}
