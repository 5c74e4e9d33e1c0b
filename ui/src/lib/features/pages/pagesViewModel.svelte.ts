import { type Client, Deadline, type ChangeFeed } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { Finder, Indexing, LooseEnds, type LooseTab, PageFind, Reader } from '$lib/features/pages';
import type { Failure, PageChanges } from '$lib/api/generated';

/** Other programs save many files at once: what is shown is read again at most this often. */
const LIVE_MS = 150;

/** The Pages view: its list, and the page or the loose ends beside it. */
export class PagesViewModel {
  readonly finder: Finder;
  readonly reader: Reader;
  readonly indexing: Indexing;
  readonly loose: LooseEnds;
  readonly find: PageFind;
  looseTab = $state<LooseTab>('broken');
  /** The loose ends were asked for: they stand where a page would. */
  looseShown = $state(false);
  readonly searchFocus = new ViewRequest();
  readonly looseFocus = new ViewRequest();
  #open = false;
  readonly #client: Client;
  readonly #live = new Deadline(LIVE_MS, () => this.#readAgain());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.indexing = new Indexing(client);
    this.reader = new Reader(client);
    this.loose = new LooseEnds(client);
    this.find = new PageFind(client);
    this.finder = new Finder(client, this.indexing, (slug) => this.show(slug, null, false));
    feed.on('page', () => {
      if (this.#open) this.#live.touch();
    });
  }

  /** The view is on the screen: only then it follows what other programs change. */
  open(): void {
    this.#open = true;
    if (this.#client.workspace !== null) this.#readAgain();
  }

  close(): void {
    this.#open = false;
    this.#live.cancel();
  }

  /** `along`: it can be gone back to what was shown before. */
  show(slug: string, sought: string | null = null, along = true): void {
    this.looseShown = false;
    this.reader.show(slug, { sought, along });
  }

  showLoose(tab = this.looseTab): void {
    this.looseTab = tab;
    this.looseShown = true;
    this.reader.close();
  }

  /** Another folder is open. */
  reset(): void {
    this.#live.cancel();
    this.finder.reset();
    this.reader.reset();
    this.indexing.reset();
    this.loose.reset();
    this.looseTab = 'broken';
    this.looseShown = false;
    if (this.#open && this.#client.workspace !== null) this.#start();
  }

  async refresh(): Promise<PageChanges | Failure> {
    const changes = await this.indexing.refresh();
    if (this.#open) this.#readAgain();
    return changes;
  }

  #start(): void {
    this.finder.start();
    this.#readBeside();
  }

  #readAgain(): void {
    this.finder.refresh();
    this.indexing.ask();
    this.#readBeside();
  }

  #readBeside(): void {
    if (this.reader.goal) this.reader.refresh();
    else if (this.looseShown) this.loose.refresh();
  }
}
