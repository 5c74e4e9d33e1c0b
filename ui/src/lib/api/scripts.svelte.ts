import type { Script } from '$lib/api/generated';
import type { Client } from './client';

/** The functions that scripts can import, and whether the sandbox is available. Read once, on first use. */
export class Scripts {
  /** Why the sandbox is unavailable; null if it is available or unknown. */
  unavailable = $state.raw<string | null>(null);
  readonly #client: Client;
  #module: Promise<Script.ScriptModule> | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  /** After a failure the next call tries again. */
  async load(): Promise<void> {
    await this.functions();
  }

  async functions(): Promise<readonly Script.ScriptFunction[]> {
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
