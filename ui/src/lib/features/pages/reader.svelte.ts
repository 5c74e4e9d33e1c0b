import { asFailure, type Client, Latest } from '$lib/api';
import { decodedTarget } from '$lib/domain';
import type { Failure, Page } from '$lib/api/generated';
import { NavigationStack } from './navigationStack.svelte';

interface PageLocation {
  slug: string;
  /** What to scroll to: a link target, or `#` and a heading. */
  fragment: string | null;
}

class PageHistory {
  entries = $state.raw<Page.HistoryEntry[] | null>(null);
  failure = $state.raw<Failure | null>(null);
}

/** The links of a page by their decoded targets. */
class PageLinks {
  readonly broken: ReadonlySet<string>;
  readonly #pages: ReadonlyMap<string, string>;

  constructor(detail: Page.PageDetail | null) {
    this.broken = new Set(detail?.references.broken.map((link) => decodedTarget(link.target)));
    this.#pages = new Map(detail?.references.out.map((link) => [decodedTarget(link.target), link.slug]));
  }

  /** The slug of a linked page; null if it isn’t in this workspace. */
  pageOf(target: string): string | null {
    return this.#pages.get(target) ?? this.#pages.get(target.split('#')[0] ?? '') ?? null;
  }
}

/** The shown page with its links and history. */
export class Reader {
  detail = $state.raw<Page.PageDetail | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly history = new PageHistory();
  location = $state.raw<PageLocation | null>(null);
  readonly navigation = new NavigationStack<PageLocation>(() => this.location, (location) => this.#go(location));
  readonly links = $derived(new PageLinks(this.detail));
  /** The fragment to scroll to, once its page is shown. */
  readonly fragment = $derived(this.location !== null && this.detail?.page.slug === this.location.slug ? this.location.fragment : null);
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
  }

  /** `along` adds to the back history. */
  show(slug: string, { fragment = null, along = true }: { fragment?: string | null; along?: boolean } = {}): void {
    if (this.location?.slug !== slug && along) this.navigation.push();
    this.#go({ slug, fragment });
  }

  close(): void {
    this.location = null;
    this.detail = null;
    this.failure = null;
  }

  reset(): void {
    this.close();
    this.navigation.clear();
  }

  /** Reads the page again after it, or one that links to it, changed. */
  refresh(): void {
    if (this.location) this.#latest.ask();
  }

  #go(location: PageLocation): void {
    if (location.slug !== this.location?.slug) {
      [this.history.entries, this.history.failure] = [null, null];
    }
    this.location = location;
    this.#latest.ask();
  }

  async #read(): Promise<void> {
    const slug = this.location?.slug;
    if (slug === undefined) return;
    try {
      const detail = await this.#client.call('page/get', { slug });
      if (this.location?.slug !== slug) return;
      // It may have been requested by its title.
      this.location = { ...this.location, slug: detail.page.slug };
      this.detail = detail;
      this.failure = null;
    } catch (cause) {
      if (this.location?.slug !== slug) return;
      this.failure = asFailure(cause);
      return;
    }
    await this.#readHistory(this.location.slug);
  }

  async #readHistory(slug: string): Promise<void> {
    try {
      const { entries } = await this.#client.call('page/history', { slug, limit: 50 });
      if (this.location?.slug === slug) [this.history.entries, this.history.failure] = [entries, null];
    } catch (cause) {
      if (this.location?.slug === slug) this.history.failure = asFailure(cause);
    }
  }
}
