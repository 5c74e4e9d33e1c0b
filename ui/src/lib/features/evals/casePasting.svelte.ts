import type { Failure } from '$lib/api/generated';
import type { CaseList } from './caseList.svelte';

/** Adds cases from a pasted table or from JSON Lines. */
export class CasePasting {
  isOpen = $state(false);
  text = $state('');
  failure = $state.raw<Failure | null>(null);
  readonly #list: CaseList;

  constructor(list: CaseList) {
    this.#list = list;
  }

  open(text = '', failure: Failure | null = null): void {
    this.text = text;
    this.failure = failure;
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }

  /** Adds the text of the dialog. */
  async submit(): Promise<void> {
    this.failure = await this.#add(this.text);
    if (this.failure === null) this.close();
  }

  /** Adds a copied table at once; what isn’t one is shown in the dialog. */
  async paste(text: string | null): Promise<void> {
    if (text === null || text.trim() === '') {
      this.open();
      return;
    }
    const failure = await this.#add(text);
    if (failure) this.open(text, failure);
  }

  #add(text: string): Promise<Failure | null> {
    return this.#list.edit([{ change: 'paste', text }], 'Pasted cases', 'paste cases');
  }
}
