import { asFailure, type Client, Latest } from '$lib/api';
import { decodedTarget } from '$lib/domain';
import type { Failure, HistoryEntry, PageDetail } from '$lib/api/generated';

/** A page to be shown, and what in it is to be brought into sight: a link's target, or `#` and a heading. */
interface Goal {
  slug: string;
  sought: string | null;
}

const KEPT = 50;

/** The page that is read, its links and its history; with the way back. */
export class Reader {
  detail = $state.raw<PageDetail | null>(null);
  failure = $state.raw<Failure | null>(null);
  history = $state.raw<HistoryEntry[] | null>(null);
  historyFailure = $state.raw<Failure | null>(null);
  goal = $state.raw<Goal | null>(null);
  #before = $state.raw<Goal[]>([]);
  #after = $state.raw<Goal[]>([]);
  readonly canGoBack = $derived(this.#before.length > 0);
  readonly canGoOn = $derived(this.#after.length > 0);
  /** What is in sight of the goal, once its page is shown. */
  readonly sought = $derived(this.goal !== null && this.detail?.page.slug === this.goal.slug ? this.goal.sought : null);
  /** Targets as written in the page, decoded, by the page that they lead to. */
  readonly #targets = $derived(new Map(this.detail?.references.out.map((link) => [decodedTarget(link.target), link.slug])));
  readonly broken = $derived(new Set(this.detail?.references.broken.map((link) => decodedTarget(link.target))));
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#latest = new Latest(() => this.#read());
  }

  /** Shows a page. `along`: as a step of the way that can be gone back. */
  show(slug: string, { sought = null, along = true }: { sought?: string | null; along?: boolean } = {}): void {
    if (this.goal?.slug !== slug) {
      if (along && this.goal) this.#before = [...this.#before, this.goal].slice(-KEPT);
      if (along) this.#after = [];
    }
    this.#go({ slug, sought });
  }

  back(): void {
    const goal = this.#before.at(-1);
    if (!goal) return;
    this.#before = this.#before.slice(0, -1);
    if (this.goal) this.#after = [this.goal, ...this.#after];
    this.#go(goal);
  }

  forward(): void {
    const [goal, ...rest] = this.#after;
    if (!goal) return;
    this.#after = rest;
    if (this.goal) this.#before = [...this.#before, this.goal];
    this.#go(goal);
  }

  close(): void {
    this.goal = null;
    this.detail = null;
    this.failure = null;
  }

  reset(): void {
    this.close();
    this.#before = [];
    this.#after = [];
  }

  /** Pages were changed, this one or one that links to it. */
  refresh(): void {
    if (this.goal) this.#latest.ask();
  }

  /** The page that a link leads to; null when it is none of this workspace. */
  pageOf(target: string): string | null {
    return this.#targets.get(target) ?? this.#targets.get(target.split('#')[0] ?? '') ?? null;
  }

  #go(goal: Goal): void {
    if (goal.slug !== this.goal?.slug) {
      this.history = null;
      this.historyFailure = null;
    }
    this.goal = goal;
    this.#latest.ask();
  }

  async #read(): Promise<void> {
    const slug = this.goal?.slug;
    if (slug === undefined) return;
    try {
      const detail = await this.#client.call('page/get', { slug });
      if (this.goal?.slug !== slug) return;
      // It may have been asked for by its title.
      this.goal = { ...this.goal, slug: detail.page.slug };
      this.detail = detail;
      this.failure = null;
    } catch (cause) {
      if (this.goal?.slug !== slug) return;
      this.failure = asFailure(cause);
      return;
    }
    await this.#readHistory(this.goal.slug);
  }

  async #readHistory(slug: string): Promise<void> {
    try {
      const { entries } = await this.#client.call('page/history', { slug, limit: 50 });
      if (this.goal?.slug === slug) [this.history, this.historyFailure] = [entries, null];
    } catch (cause) {
      if (this.goal?.slug === slug) this.historyFailure = asFailure(cause);
    }
  }
}
