import type { Model } from '$lib/api/generated';

/** Where a provider's API key comes from. */
export class ProviderKey {
  from = $state<Model.KeySource['from']>('env');
  variable = $state('');
  /** The typed key; sent once, then cleared. */
  value = $state('');

  /** Takes the key from `variable`; null if the provider needs no key. */
  setDefault(variable: string | null): void {
    this.from = variable === null ? 'none' : 'env';
    this.variable = variable ?? '';
  }

  source(): Model.KeySource {
    if (this.from === 'env') return { from: 'env', var: this.variable.trim() };
    return { from: this.from };
  }

  /** `stored`: a key is stored already. */
  problem(stored: boolean): string | null {
    if (this.from === 'env' && this.variable.trim() === '') return 'Enter the name of the environment variable.';
    if (this.from === 'stored' && this.value.trim() === '' && !stored) return 'Enter an API key.';
    return null;
  }
}
