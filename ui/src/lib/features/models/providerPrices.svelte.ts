import type { Model } from '$lib/api/generated';

/** USD per million tokens, as typed. */
interface PriceRow {
  model: string;
  input: string;
  output: string;
}

type PriceMap = Record<string, Model.Price>;

const isPrice = (text: string): boolean => /^\d+(\.\d+)?$/.test(text.trim());

/** Custom prices of a provider's models. */
export class ProviderPrices {
  rows = $state<PriceRow[]>([]);
  readonly #stored: PriceMap;

  constructor(stored: PriceMap = {}) {
    this.#stored = stored;
    this.rows = Object.entries(stored).map(([model, price]) => ({ model, input: String(price.input), output: String(price.output) }));
  }

  add(): void {
    this.rows = [...this.rows, { model: '', input: '', output: '' }];
  }

  remove(index: number): void {
    this.rows = this.rows.filter((_, at) => at !== index);
  }

  valid(): boolean {
    return this.rows.every((row) => row.model.trim() !== '' && isPrice(row.input) && isPrice(row.output));
  }

  /** With the stored price of cached tokens, which the form doesn't show. */
  toMap(): PriceMap {
    return Object.fromEntries(
      this.rows.map(({ model, input, output }) => {
        const cached = this.#stored[model.trim()]?.cached;
        return [model.trim(), { input: Number(input), output: Number(output), ...(cached == null ? {} : { cached }) }];
      }),
    );
  }
}
