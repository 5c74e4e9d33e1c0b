import { type Client, Debounce, SparseList } from '$lib/api';
import { ViewRequest } from '$lib/components';
import type { Marketplace } from '$lib/api/generated';

const TYPING_PAUSE_MS = 120;

/** The skills that the registries offer, with a search and filters. */
export class Browse {
  readonly list: SparseList<Marketplace.MarketplaceSkill>;
  query = $state('');
  category = $state<string | null>(null);
  registry = $state<string | null>(null);
  /** Number of skills by category. */
  categories = $state.raw<Readonly<Record<string, number>>>({});
  /** The index of the row that has the focus within the list. */
  cursor = $state(0);
  readonly searchFocus = new ViewRequest();
  /** For the list that is shown. */
  readonly listFocus = new ViewRequest();
  readonly narrowed = $derived(this.query.trim() !== '' || this.category !== null || this.registry !== null);
  readonly #typed = new Debounce(TYPING_PAUSE_MS, () => this.list.restart());

  constructor(client: Client) {
    this.list = new SparseList(async (offset, limit) => {
      const page = await client.call('marketplace/search', { query: this.query.trim(), category: this.category, registry: this.registry, offset, limit });
      this.categories = page.categories;
      return { rows: page.skills, total: page.total };
    });
  }

  type(query: string): void {
    this.query = query;
    this.cursor = 0;
    this.#typed.touch();
  }

  filter(change: { category?: string | null; registry?: string | null }): void {
    if (change.category !== undefined) this.category = change.category;
    if (change.registry !== undefined) this.registry = change.registry;
    this.cursor = 0;
    this.#typed.cancel();
    this.list.restart();
  }

  clear(): void {
    this.query = '';
    this.filter({ category: null, registry: null });
  }
}
