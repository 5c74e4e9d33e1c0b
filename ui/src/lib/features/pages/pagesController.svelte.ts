import { plural } from '$lib/domain';
import type { PagesViewModel } from './pagesViewModel.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'client' | 'clipboard' | 'feed' | 'layout' | 'notifications' | 'overlays' | 'toasts' | 'workspace'>;

/** Opens the Pages view. Its code is loaded when it is first shown. */
export class PagesController {
  view = $state.raw<PagesViewModel | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Shows the list of pages, or one page. */
  async open(slug?: string): Promise<void> {
    this.#services.layout.view = 'pages';
    const view = await this.load();
    if (slug !== undefined) view?.show(slug);
  }

  /** Shows the palette for a page. */
  async find(): Promise<void> {
    const view = await this.load();
    if (!view || this.#services.workspace.current === null) return;
    view.find.start();
    this.#services.overlays.show('page');
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
