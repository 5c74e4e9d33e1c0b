import type { ArtifactKind, TraceFilter, TraceStatus } from '$lib/api/generated';

export type Range = 'all' | 'hour' | 'day' | 'week' | 'month';

export interface Filters {
  skill: string;
  model: string;
  kind: ArtifactKind | '';
  status: TraceStatus | '';
  text: string;
  range: Range;
  failedOnly: boolean;
}

export const NO_FILTERS: Filters = { skill: '', model: '', kind: '', status: '', text: '', range: 'all', failedOnly: false };

const HOURS: Record<Exclude<Range, 'all'>, number> = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 };

/** The filters of the list. */
export class RunQuery {
  filters = $state.raw<Filters>(NO_FILTERS);
  /** The account's runs even while a workspace is open. */
  account = $state(false);
  /** The skills and models of all runs, to filter by. */
  options = $state.raw<{ skills: string[]; models: string[] }>({ skills: [], models: [] });
  readonly isFiltered = $derived(JSON.stringify(this.filters) !== JSON.stringify(NO_FILTERS));
  readonly #changed: (what: 'text' | 'filters' | 'database') => void;

  constructor(changed: (what: 'text' | 'filters' | 'database') => void) {
    this.#changed = changed;
  }

  set(change: Partial<Filters>): void {
    this.filters = { ...this.filters, ...change };
    this.#changed(Object.keys(change).join() === 'text' ? 'text' : 'filters');
  }

  clear(): void {
    this.filters = NO_FILTERS;
    this.#changed('filters');
  }

  showAccount(account: boolean): void {
    if (this.account === account) return;
    this.account = account;
    this.#changed('database');
  }

  reset(): void {
    this.account = false;
    this.filters = NO_FILTERS;
  }

  /** The filters as parameters of a call. */
  wire(now = Date.now()): TraceFilter {
    const { skill, model, kind, status, text, range, failedOnly } = this.filters;
    return {
      ...(skill === '' ? {} : { skill }),
      ...(model === '' ? {} : { model }),
      ...(kind === '' ? {} : { kind }),
      ...(status === '' ? {} : { status: [status] }),
      ...(text.trim() === '' ? {} : { text: text.trim() }),
      ...(range === 'all' ? {} : { since: new Date(now - HOURS[range] * 3_600_000).toISOString() }),
      ...(failedOnly ? { failed_assertions: true } : {}),
    };
  }
}
