// A workspace's pages in memory: words are looked for as they stand, links are wikilinks.
import type { OutputOf, Page } from '$lib/api/generated';
import { fail, type FakeStore, type Handlers } from './store';

type PageOperation = Extract<keyof Handlers, `page/${string}`>;

interface FakePage extends Page.PageSummary {
  body: string;
  frontmatter: Record<string, unknown>;
  history: Page.HistoryEntry[];
}

type Ends = Pick<Page.Reference, 'target' | 'text' | 'line'> & { from: FakePage; to: FakePage | null };

export class FakePages {
  readonly all: FakePage[] = [];
  status: Page.PagesStatus = { pages: 0, indexed_at: null, progress: null, temporary: null, skipped: [] };
  readonly #store: FakeStore;

  constructor(store: FakeStore) {
    this.#store = store;
  }

  handlers(): Pick<Handlers, PageOperation> {
    return {
      'page/search': ({ query, limit }) => ({ hits: this.search(query, limit ?? undefined) }),
      'page/list': ({ filter, offset, limit }) => this.list(filter, offset, limit ?? undefined),
      'page/get': ({ slug }) => this.get(slug),
      'page/history': ({ slug }) => ({ entries: this.history(slug) }),
      'page/facets': () => this.facets(),
      'page/link_problems': () => this.linkProblems(),
      'page/status': () => this.status,
      'page/refresh': () => ({ added: [], changed: [], removed: [] }),
    };
  }

  put(slug: string, title: string, body: string, more: Partial<FakePage> = {}): FakePage {
    const page: FakePage = {
      slug, title, body, type: null, tags: [], path: `${slug}.md`, modified: new Date(this.#store.now).toISOString(),
      size: body.length, remark: null, frontmatter: { title }, history: [], ...more,
    };
    const at = this.all.findIndex((one) => one.slug === slug);
    if (at < 0) this.all.push(page);
    else this.all[at] = page;
    this.status = { ...this.status, pages: this.all.length, indexed_at: page.modified };
    return page;
  }

  remove(slug: string): void {
    this.all.splice(this.all.findIndex((one) => one.slug === slug), 1);
  }

  /** Another program wrote these. */
  changed(...slugs: string[]): void {
    this.#store.emit('page', slugs, 'workspace', '');
  }

  search(query: string, limit = 50): Page.Hit[] {
    const words = query.toLowerCase().split(/\s+/);
    return this.all
      .filter((page) => words.every((word) => `${page.title} ${page.tags.join(' ')} ${page.body}`.toLowerCase().includes(word)))
      .slice(0, limit)
      .map(({ slug, title, type, tags, body }) => ({ slug, title, type, tags, snippet: body.slice(0, 80).replace(/\s+/g, ' '), score: 1 }));
  }

  list({ type, tag, order }: Page.PageFilter = {}, offset = 0, limit = 50): OutputOf<'page/list'> {
    const key = (page: FakePage): string => (order === 'title' ? page.title.toLowerCase() : order === 'modified' ? `${9e15 - Date.parse(page.modified)}` : page.slug);
    const pages = this.all
      .filter((page) => (!type || page.type === type) && (!tag || page.tags.includes(tag)))
      .sort((a, b) => (key(a) < key(b) ? -1 : 1));
    return { pages: pages.slice(offset, offset + limit).map(summaryOf), total: pages.length };
  }

  get(name: string): OutputOf<'page/get'> {
    const page = this.#named(name);
    if (!page) throw fail('notFound', `page "${name}" not found`);
    const links = this.#links();
    const reference = (end: FakePage, { text, target, line }: Ends): Page.Reference => ({ slug: end.slug, title: end.title, text, target, line });
    return {
      page: { ...summaryOf(page), body: page.body, body_line: 5, frontmatter: page.frontmatter },
      references: {
        out: links.flatMap((link) => (link.from === page && link.to ? [reference(link.to, link)] : [])),
        in: links.flatMap((link) => (link.to === page ? [reference(link.from, link)] : [])),
        broken: links.filter((link) => link.from === page && !link.to).map(brokenOf),
      },
    };
  }

  history(name: string): Page.HistoryEntry[] {
    return this.#named(name)?.history ?? [];
  }

  facets(): OutputOf<'page/facets'> {
    const count = (names: string[]): Record<string, number> => Object.fromEntries(names.toSorted().map((name) => [name, names.filter((one) => one === name).length]));
    return { types: count(this.all.flatMap((page) => page.type ?? [])), tags: count(this.all.flatMap((page) => page.tags)) };
  }

  linkProblems(): OutputOf<'page/link_problems'> {
    const links = this.#links();
    const linked = new Set(links.flatMap((link) => (link.to && link.to !== link.from ? [link.to.slug] : [])));
    return { broken: links.filter((link) => !link.to).map(brokenOf), orphans: this.all.filter((page) => !linked.has(page.slug) && page.slug !== 'index').map(summaryOf) };
  }

  #named(name: string): FakePage | undefined {
    return this.all.find((page) => page.slug === name || page.title.toLowerCase() === name.toLowerCase());
  }

  #links(): Ends[] {
    return this.all.flatMap((from) =>
      from.body.split('\n').flatMap((text, index) =>
        [...text.matchAll(/\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/g)].map(([, target = '', shown]) => ({ from, to: this.#named(target.split('#')[0] ?? '') ?? null, target, text: shown ?? target, line: index + 5 })),
      ),
    );
  }
}

const brokenOf = ({ from, target, text, line }: Ends): Page.BrokenLink => ({ page: from.slug, title: from.title, target, text, line });

function summaryOf({ slug, title, type, tags, path, modified, size, remark }: FakePage): Page.PageSummary {
  return { slug, title, type, tags, path, modified, size, remark };
}
