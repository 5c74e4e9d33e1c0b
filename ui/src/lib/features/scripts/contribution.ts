import { Scripts } from '$lib/api';
import type { Contribution } from '$lib/workbench/contribution';

declare module '$lib/workbench/services' {
  interface Services {
    readonly scripts: Scripts;
  }
}

export const scripts: Contribution = {
  id: 'scripts',
  services: { scripts: ({ client }) => new Scripts(client) },
};
