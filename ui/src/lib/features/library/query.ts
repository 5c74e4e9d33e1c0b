import type { LibraryQuery, LibraryRow, LibraryScope, LibrarySort, Lifecycle, Origin } from '$lib/api/generated';

/** What of the library is looked at, and in which order. */
export interface Filters {
  text: string;
  place: LibraryScope | '';
  origin: Origin | '';
  enabled: 'on' | 'off' | '';
  lifecycles: readonly Lifecycle[];
  categories: readonly string[];
  tags: readonly string[];
  /** Also what the workspace hides. */
  hidden: boolean;
  sort: LibrarySort;
  reverse: boolean;
}

export type Face = 'cards' | 'lines';

export const NO_FILTERS: Filters = { text: '', place: '', origin: '', enabled: '', lifecycles: [], categories: [], tags: [], hidden: false, sort: 'name', reverse: false };

export const LIFECYCLE_WORDS: Record<Lifecycle, string> = {
  candidate: 'Candidate',
  verified: 'Verified',
  released: 'Released',
  degraded: 'Degraded',
  deprecated: 'Deprecated',
  archived: 'Archived',
};

export const SORT_WORDS: Record<Exclude<LibrarySort, 'slug'>, string> = {
  name: 'Title',
  changed: 'Last modified',
  used: 'Last used',
  cost: 'Cost (30 days)',
  size: 'Size',
};

export const SOURCE_WORDS: Record<LibraryRow['source'], string> = {
  system: 'Built-in',
  community: 'Registry',
  imported: 'Linked import',
  user: 'Yours',
};

/** What a trust tier means; the number itself says little. */
export const TRUST_LABELS: Record<number, string> = { 1: 'Unreviewed', 2: 'Community', 3: 'Verified', 4: 'Built-in' };

export function wireQuery(filters: Filters): LibraryQuery {
  return {
    text: filters.text.trim(),
    place: filters.place || null,
    origin: filters.origin || null,
    enabled: filters.enabled === '' ? null : filters.enabled === 'on',
    lifecycles: [...filters.lifecycles],
    categories: [...filters.categories],
    tags: [...filters.tags],
    hidden: filters.hidden,
    sort: filters.sort,
    reverse: filters.reverse,
  };
}

/** Whether something is left out of the list; the order and the scope's tab leave nothing out unnoticed. */
export function isNarrowed(filters: Filters): boolean {
  return filters.text.trim() !== '' || isFiltered(filters);
}

/** Whether a filter is set beside the search. */
export function isFiltered({ origin, enabled, lifecycles, categories, tags }: Filters): boolean {
  return origin !== '' || enabled !== '' || lifecycles.length + categories.length + tags.length > 0;
}

/** With a value, if it wasn't there, else without it. */
export const toggled = <T>(all: readonly T[], value: T): readonly T[] => (all.includes(value) ? all.filter((one) => one !== value) : [...all, value]);

/** What was remembered; what isn't understood is as usual. The text is never remembered. */
export function readFilters(value: unknown): Filters {
  if (typeof value !== 'object' || value === null) return NO_FILTERS;
  const stored = value as Record<string, unknown>;
  const among = <T extends string>(name: string, known: readonly T[], usual: T): T => known.find((one) => one === stored[name]) ?? usual;
  const texts = (name: string): string[] => {
    const list = stored[name];
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string').slice(0, 50) : [];
  };
  const lifecycles = Object.keys(LIFECYCLE_WORDS) as Lifecycle[];
  return {
    text: '',
    place: among('place', ['', 'platform', 'team'], ''),
    origin: among('origin', ['', 'human', 'llm'], ''),
    enabled: among('enabled', ['', 'on', 'off'], ''),
    lifecycles: lifecycles.filter((one) => texts('lifecycles').includes(one)),
    categories: texts('categories'),
    tags: texts('tags'),
    hidden: stored['hidden'] === true,
    sort: among('sort', Object.keys(SORT_WORDS) as Exclude<LibrarySort, 'slug'>[], 'name'),
    reverse: stored['reverse'] === true,
  };
}
