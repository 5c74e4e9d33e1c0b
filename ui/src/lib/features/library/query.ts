import { LIFECYCLE_LABELS } from '$lib/domain';
import type { Library, Lifecycle, Origin } from '$lib/api/generated';

export interface Filters {
  text: string;
  ownership: Library.Ownership | '';
  origin: Origin | '';
  enabled: 'on' | 'off' | '';
  lifecycles: readonly Lifecycle[];
  categories: readonly string[];
  tags: readonly string[];
  /** Whether account skills that the workspace overrides are listed. */
  hidden: boolean;
  sort: Library.LibrarySort;
  reverse: boolean;
}

export type ViewMode = 'cards' | 'list';

export const NO_FILTERS: Filters = { text: '', ownership: '', origin: '', enabled: '', lifecycles: [], categories: [], tags: [], hidden: false, sort: 'name', reverse: false };

export const SORT_LABELS: Record<Exclude<Library.LibrarySort, 'slug'>, string> = {
  name: 'Title',
  changed: 'Last modified',
  used: 'Last used',
  cost: 'Cost (30 days)',
  size: 'Size',
};

export function wireQuery(filters: Filters): Library.LibraryQuery {
  return {
    text: filters.text.trim(),
    ownership: filters.ownership || null,
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

/** Whether the search or a filter hides skills. The tab of the scope, which is always visible, doesn’t count. */
export function isNarrowed(filters: Filters): boolean {
  return filters.text.trim() !== '' || isFiltered(filters);
}

/** Whether a filter is set, apart from the search. */
export function isFiltered({ origin, enabled, lifecycles, categories, tags }: Filters): boolean {
  return origin !== '' || enabled !== '' || lifecycles.length + categories.length + tags.length > 0;
}

/** Adds the value, or removes it if it is listed. */
export const toggled = <T>(all: readonly T[], value: T): readonly T[] => (all.includes(value) ? all.filter((one) => one !== value) : [...all, value]);

/** Values of `place`, which earlier versions stored instead of `ownership`. */
const FORMER_OWNERSHIP: Readonly<Record<string, Library.Ownership>> = { platform: 'built_in', team: 'yours' };

/** The stored filters; invalid ones get their defaults. The search text is never stored. */
export function readFilters(value: unknown): Filters {
  if (typeof value !== 'object' || value === null) return NO_FILTERS;
  const stored = value as Record<string, unknown>;
  const among = <T extends string>(name: string, known: readonly T[], defaultValue: T): T => known.find((one) => one === stored[name]) ?? defaultValue;
  const texts = (name: string): string[] => {
    const list = stored[name];
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string').slice(0, 50) : [];
  };
  const lifecycles = Object.keys(LIFECYCLE_LABELS) as Lifecycle[];
  return {
    text: '',
    ownership: FORMER_OWNERSHIP[String(stored['place'])] ?? among('ownership', ['', 'built_in', 'yours'], ''),
    origin: among('origin', ['', 'human', 'llm'], ''),
    enabled: among('enabled', ['', 'on', 'off'], ''),
    lifecycles: lifecycles.filter((one) => texts('lifecycles').includes(one)),
    categories: texts('categories'),
    tags: texts('tags'),
    hidden: stored['hidden'] === true,
    sort: among('sort', Object.keys(SORT_LABELS) as Exclude<Library.LibrarySort, 'slug'>[], 'name'),
    reverse: stored['reverse'] === true,
  };
}
