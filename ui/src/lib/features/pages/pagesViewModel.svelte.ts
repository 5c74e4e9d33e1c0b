import { type Client, Deadline, type ChangeFeed } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { Finder, Indexing, LinkProblems, PageFind, Reader } from '$lib/features/pages';
import type { Failure, Page } from '$lib/api/generated';

/** Other programs save many files at once: the visible content is reloaded at most this often. */
const CHANGES_INTERVAL_MS = 150;

/** The Pages view: its list, and beside it a page or the link problems. */
export class PagesViewModel {
  readonly finder: Finder;
  readonly reader: Reader;
  readonly indexing: Indexing;
  readonly linkProblems: LinkProblems;
  readonly find: PageFind;
  readonly searchFocus = new ViewRequest();
  #open = false;
  readonly #client: Client;
  readonly #changed = new Deadline(CHANGES_INTERVAL_MS, () => this.#reload());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.indexing = new Indexing(client);
    this.reader = new Reader(client);
    this.linkProblems = new LinkProblems(client);
    this.find = new PageFind(client);
    this.finder = new Finder(client, this.indexing, (slug) => this.show(slug, null, false));
    feed.on('page', () => {
      if (this.#open) this.#changed.touch();
    });
  }

  /** Follows changes until `close`. */
  open(): void {
    this.#open = true;
    if (this.#client.workspace !== null) this.#reload();
  }

  close(): void {
    this.#open = false;
    this.#changed.cancel();
  }

  /** `along` adds to the back history. */
  show(slug: string, fragment: string | null = null, along = true): void {
    this.linkProblems.hide();
    this.reader.show(slug, { fragment, along });
  }

  showLinkProblems(tab = this.linkProblems.tab): void {
    this.linkProblems.show(tab);
    this.reader.close();
  }

  /** Another workspace is open. */
  reset(): void {
    this.#changed.cancel();
    this.finder.reset();
    this.reader.reset();
    this.indexing.reset();
    this.linkProblems.reset();
    if (this.#open && this.#client.workspace !== null) this.#start();
  }

  async refresh(): Promise<Page.PageChanges | Failure> {
    const changes = await this.indexing.refresh();
    if (this.#open) this.#reload();
    return changes;
  }

  #start(): void {
    this.finder.start();
    this.#reloadBeside();
  }

  #reload(): void {
    this.finder.refresh();
    this.indexing.ask();
    this.#reloadBeside();
  }

  #reloadBeside(): void {
    if (this.reader.location) this.reader.refresh();
    else if (this.linkProblems.isShown) this.linkProblems.refresh();
  }
}
