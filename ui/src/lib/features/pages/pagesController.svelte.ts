import { plural } from '$lib/domain';
import type { Page } from '$lib/api/generated';
import type { PagesViewModel } from './pagesViewModel.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'client' | 'clipboard' | 'feed' | 'layout' | 'notifications' | 'overlays' | 'toasts' | 'workspace'>;

/** Opens the Pages view. Its code is loaded when it is first shown. */
export class PagesController {
  view = $state.raw<PagesViewModel | null>(null);
  readonly #services: Needs;
  #chosen: ((page: Page.PageDetail) => void) | null = null;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Shows the list of pages, or one page. */
  async open(slug?: string): Promise<void> {
    this.#services.layout.view = 'pages';
    const view = await this.load();
    if (slug !== undefined) view?.show(slug);
  }

  /** Shows the palette for a page, which is opened unless `chosen` is given. */
  async find(chosen?: (page: Page.PageDetail) => void): Promise<void> {
    const view = await this.load();
    if (!view || this.#services.workspace.current === null) return;
    this.#chosen = chosen ?? null;
    view.find.start();
    this.#services.overlays.show('page');
  }

  /** Asks for a page. Null without a workspace. */
  get ask(): ((chosen: (page: Page.PageDetail) => void) => void) | null {
    return this.#services.workspace.current && ((chosen) => void this.find(chosen));
  }

  /** A page was chosen in the palette. */
  async choose(slug: string): Promise<void> {
    const chosen = this.#chosen;
    this.#services.overlays.close();
    if (!chosen) return this.open(slug);
    try {
      chosen(await this.#services.client.call('page/get', { slug }));
    } catch (cause) {
      this.#services.notifications.report('Couldn’t read the page', cause);
    }
  }

  async search(): Promise<void> {
    await this.open();
    this.view?.searchFocus.send();
  }

  async showLinkProblems(): Promise<void> {
    await this.open();
    this.view?.showLinkProblems();
    // With the focus in the list of pages, the arrow keys would open one of them.
    this.view?.linkProblems.focusRequest.send();
  }

  async load(): Promise<PagesViewModel | null> {
    try {
      const { PagesViewModel } = await import('./pagesViewModel.svelte');
      this.view ??= new PagesViewModel(this.#services.client, this.#services.feed);
      return this.view;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the pages', cause, () => this.open());
      return null;
    }
  }

  async refresh(): Promise<void> {
    const changes = await (await this.load())?.refresh();
    if (!changes) return;
    if ('code' in changes) {
      this.#services.notifications.report('Couldn’t refresh pages', changes, () => this.refresh());
      return;
    }
    const count = changes.added.length + changes.changed.length + changes.removed.length;
    this.#services.toasts.show(count === 0 ? 'No changes found' : `Updated ${plural(count, 'page')}`, { lasts: 2_500 });
  }

  /** Follows a link in a page. Web addresses are copied. */
  follow(target: string): void {
    const reader = this.view?.reader;
    const heading = /#(.*)$/s.exec(target)?.[1];
    const slug = target.startsWith('#') ? (reader?.location?.slug ?? null) : (reader?.links.pageOf(target) ?? null);
    if (slug !== null) reader?.show(slug, { fragment: heading ? `#${heading}` : null });
    else if (/^[a-z][a-z0-9+.-]*:/i.test(target)) void this.#services.clipboard.copy(target, 'the address');
    else this.#services.toasts.show(`Page ${target} not found.`, { tone: 'warn' });
  }
}
