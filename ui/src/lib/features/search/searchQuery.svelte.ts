import type { Scope } from '$lib/api/generated';

export type Switch = 'case' | 'word' | 'regex';

/** What to search for and where, as it is typed. */
export class SearchQuery {
  text = $state('');
  readonly switches = $state<Record<Switch, boolean>>({ case: false, word: false, regex: false });
  replacing = $state(false);
  replacement = $state('');
  /** Whether the fields for path and scope are shown. */
  narrowing = $state(false);
  path = $state('');
  scope = $state<Scope | null>(null);
  readonly isNarrowed = $derived(this.path.trim() !== '' || this.scope !== null);
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  set(change: { text?: string; replacement?: string; path?: string; scope?: Scope | null }): void {
    Object.assign(this, change);
    this.#changed();
  }

  flip(name: Switch): void {
    this.switches[name] = !this.switches[name];
    this.#changed();
  }

  setReplacing(replacing: boolean): void {
    if (this.replacing === replacing) return;
    this.replacing = replacing;
    this.#changed();
  }

  clear(): void {
    this.set({ text: '', replacement: '', path: '', scope: null });
  }
}
