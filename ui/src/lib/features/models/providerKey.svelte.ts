import type { Model } from '$lib/api/generated';

/** Where a provider's API key comes from. */
export class ProviderKey {
  fromVariable = $state(false);
  variable = $state('');
  /** The typed key; sent once, then cleared. */
  value = $state('');
  /** Whether a key is stored already. */
  readonly #isStored: boolean;

  constructor(known: Model.ProviderInfo | null) {
    this.fromVariable = known?.key.from === 'env';
    if (known?.key.from === 'env') this.variable = known.key.var;
    this.#isStored = known?.key.from === 'stored' && known.key_state === 'stored';
  }

  /** Whether a typed key is to be stored. */
  get isTyped(): boolean {
    return !this.fromVariable && this.value.trim() !== '';
  }

  get isStored(): boolean {
    return this.#isStored;
  }

  source(): Model.KeySource {
    if (this.fromVariable) return { from: 'env', var: this.variable.trim() };
    return { from: this.isTyped || this.#isStored ? 'stored' : 'none' };
  }

  /** `optional`: the server may need no key. */
  problem(optional: boolean): string | null {
    if (this.fromVariable) return this.variable.trim() === '' ? 'Enter the name of the environment variable.' : null;
    return optional || this.isTyped || this.#isStored ? null : 'Enter an API key.';
  }
}
