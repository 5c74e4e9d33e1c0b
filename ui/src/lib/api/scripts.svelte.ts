import type { ScriptFunction, ScriptModule } from '$lib/api/generated';
import type { Client } from './client';

/** What scripts can import, and whether they can run here. Read once, when it is first wanted. */
export class Scripts {
  /** Why no script can run here; null when they can, or while that isn't known. */
  unavailable = $state.raw<string | null>(null);
  readonly #client: Client;
  #module: Promise<ScriptModule> | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Without an answer nothing is known; it is tried again with the next call. */
  async load(): Promise<void> {
    await this.functions();
  }

  async functions(): Promise<readonly ScriptFunction[]> {
    this.#module ??= this.#client.call('script/functions', {});
    try {
      const module = await this.#module;
      this.unavailable = module.unavailable;
      return module.functions;
    } catch {
      this.#module = null;
      return [];
    }
  }
}
