import { ViewRequest } from '$lib/components';
import type { Library } from '$lib/api/generated';
import { type Filters, isFiltered, isNarrowed, NO_FILTERS } from './query';

/** The filters and the order of the list, with the values that can be chosen. */
export class LibraryFilter {
  values = $state.raw<Filters>(NO_FILTERS);
  facets = $state.raw<Library.LibraryFacets | null>(null);
  readonly searchFocus = new ViewRequest();
  readonly narrowed = $derived(isNarrowed(this.values));
  readonly filtered = $derived(isFiltered(this.values));
  readonly #changed: (change: Partial<Filters>) => void;

  constructor(changed: (change: Partial<Filters>) => void) {
    this.#changed = changed;
  }

  change(change: Partial<Filters>): void {
    this.values = { ...this.values, ...change };
    this.#changed(change);
  }

  clear(): void {
    const { ownership, sort, reverse, hidden } = this.values;
    this.change({ ...NO_FILTERS, ownership, sort, reverse, hidden });
  }
}
