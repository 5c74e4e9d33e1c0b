import { ViewRequest } from '$lib/components';
import type { SettingsSectionId } from '$lib/features/settings';
import type { InspectorTabId } from '$lib/workbench/ids';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'contributions' | 'layout' | 'settingsPage'>;

interface GuideLocation {
  slug: string;
  heading: string | null;
}

const EDITING = 'editing';

/** The shown page of the guide. The pages are loaded with the view. */
export class HelpController {
  location = $state.raw<GuideLocation>({ slug: 'start', heading: null });
  readonly searchFocus = new ViewRequest();
  #before = $state.raw<readonly GuideLocation[]>([]);
  readonly canGoBack = $derived(this.#before.length > 0);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  open(slug = this.location.slug, heading: string | null = null): void {
    if (slug !== this.location.slug) this.#before = [...this.#before.slice(-49), this.location];
    this.location = { slug, heading };
    this.#services.layout.view = 'help';
  }

  /** Shows the help of the focused pane, or else of the view. */
  here(): void {
    const { layout, settingsPage } = this.#services;
    if (layout.view === 'settings') this.settings(settingsPage.section);
    else if (layout.view === 'help') this.search();
    else this.open(this.#pageHere());
  }

  inspector(tab: InspectorTabId): void {
    this.open(this.#guideOf('inspectorTabs', tab));
  }

  settings(section: SettingsSectionId): void {
    this.open(this.#guideOf('settingsSections', section));
  }

  search(): void {
    this.#services.layout.view = 'help';
    this.searchFocus.send();
  }

  back(): void {
    const last = this.#before.at(-1);
    if (!last) return;
    this.#before = this.#before.slice(0, -1);
    this.location = last;
  }

  #guideOf(point: 'views' | 'panelTabs' | 'inspectorTabs' | 'settingsSections', id: string | undefined): string | undefined {
    return this.#services.contributions.of(point).find((one) => one.id === id)?.guide;
  }

  #pageHere(): string | undefined {
    const { layout } = this.#services;
    const focused = typeof document === 'undefined' ? null : document.activeElement;
    const pane = focused?.closest<HTMLElement>('[data-pane]')?.dataset['pane'];
    switch (pane) {
      case 'inspector':
        return this.#guideOf('inspectorTabs', layout.inspector.tab);
      case 'panel':
        return this.#guideOf('panelTabs', layout.panel.tab) ?? EDITING;
      case 'editor':
        return EDITING;
      default:
        return this.#guideOf('views', pane) ?? (focused?.closest('[role=tree]') ? 'skills' : this.#guideOf('views', layout.view));
    }
  }
}
