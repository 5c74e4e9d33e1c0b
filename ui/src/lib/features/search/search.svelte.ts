import { type ChangeFeed, type Client, Deadline } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { ExcludedMatches } from './excludedMatches.svelte';
import { MatchList, type SearchEvents } from './matchList.svelte';
import { SearchQuery } from './searchQuery.svelte';
import { SearchResults } from './searchResults.svelte';

/** Other programs save many skills at once: the visible matches are refreshed at most this often. */
const LIVE_MS = 250;

export type Field = 'text' | 'replacement';

/** Search in all skills: the query, its matches, and the matches that a replacement excludes. */
export class Search {
  readonly query: SearchQuery;
  readonly results: SearchResults;
  readonly excluded: ExcludedMatches;
  readonly list: MatchList;
  readonly focusRequest = new ViewRequest<Field>();
  #shown = false;
  readonly #live = new Deadline(LIVE_MS, () => this.results.again());

  constructor(client: Client, feed: ChangeFeed, events: SearchEvents) {
    this.query = new SearchQuery(() => this.results.invalidate());
    this.results = new SearchResults(client, this.query, {
      found: (same) => {
        if (!same) this.excluded.clear();
        this.excluded.restore();
      },
      cleared: () => {
        this.excluded.clear();
        this.list.clear();
      },
    });
    this.excluded = new ExcludedMatches(this.results);
    this.list = new MatchList(this.results, this.excluded, events);
    feed.on('skill', () => {
      if (this.#shown) this.#live.touch();
    });
  }

  /** The view is shown or hidden: only while it is shown, changes are followed. */
  shown(shown: boolean): void {
    this.#shown = shown;
    if (shown) this.results.again();
    else this.#live.cancel();
  }

  /** Focuses a field, with the selected text of the editor as the query. */
  start(selected: string, replacing: boolean): void {
    if (selected !== '') this.query.set({ text: selected });
    if (replacing) this.query.setReplacing(true);
    this.focusRequest.send(replacing && this.query.text !== '' ? 'replacement' : 'text');
  }

  /** Another workspace is open. */
  reset(): void {
    this.results.clear();
    if (this.query.scope === 'workspace') this.query.scope = null;
    if (this.#shown) this.results.again();
  }
}
