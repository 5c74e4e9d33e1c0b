import { asFailure, type Client } from '$lib/api';
import type { Failure } from '$lib/api/generated';

/** The person’s decision whether the workspace is trusted. */
export class WorkspaceTrust {
  /** Whether the question is shown. */
  asked = $state(false);
  /** The label of the button that trusts the workspace. */
  verb = $state('Trust');
  #answer: ((trusted: boolean) => void) | null = null;
  readonly #client: Client;
  readonly #isOpen: () => boolean;
  readonly #changed: (trusted: boolean) => void;

  constructor(client: Client, isOpen: () => boolean, changed: (trusted: boolean) => void) {
    this.#client = client;
    this.#isOpen = isOpen;
    this.#changed = changed;
  }

  /** Asks the person. Resolves with true once the workspace is trusted. */
  async ask(verb = 'Trust'): Promise<boolean> {
    if (!this.#isOpen()) return false;
    this.#answer?.(false);
    this.verb = verb;
    this.asked = true;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  decline(): void {
    this.#end(false);
  }

  /** Resolves with null when the decision is stored. */
  async set(trusted: boolean): Promise<Failure | null> {
    try {
      await this.#client.call('workspace/trust', { trusted });
      this.#changed(trusted);
      this.#end(trusted);
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  #end(trusted: boolean): void {
    this.asked = false;
    this.#answer?.(trusted);
    this.#answer = null;
  }
}
