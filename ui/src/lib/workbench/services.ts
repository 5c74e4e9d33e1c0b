import type { Platform } from '$lib/platform';

/**
 * The parts of the window, by name. A feature declares its own beside its contribution (`declare module '$lib/workbench/services'`), so that
 * this file knows none of them. Who needs some of them says which: `Pick<Services, 'tabs' | 'toasts'>`.
 */
export interface Services {
  readonly platform: Platform;
}

/** How services are made. What a service needs of others while it is made must not need it in turn; later any may call any. */
export type Providers = { readonly [Name in keyof Services]?: (services: Services) => Services[Name] };

/** Makes all services, each when the first other one asks for it. */
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
  // Now, and not with the first look at one of them: a `$derived` that is made in a component stops when that goes.
  Object.values(services);
  return services;
}
