import { ViewRequest } from '$lib/components';
import type { SettingsSection } from '$lib/features/settings';
import type { InspectorTab } from '$lib/workbench/layout.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'layout' | 'settingsPage' | 'views'>;

interface Place {
  slug: string;
  heading: string | null;
}

/** The page of the guide that says more of a section of the settings. */
const SECTIONS: Record<SettingsSection, string> = {
  general: 'settings',
  editor: 'editing',
  skills: 'skills',
  workspaces: 'trust',
  models: 'models',
  runs: 'running',
  scripts: 'scripts',
  dspy: 'programs',
  keys: 'keys',
  data: 'privacy',
};

const INSPECTOR: Record<InspectorTab, string> = { preview: 'preview', run: 'running', optimize: 'programs', outline: 'editing', info: 'skills', history: 'history' };

/** By the pane that has the keyboard. */
const PANES: Readonly<Record<string, string>> = { tasks: 'tasks', panel: 'editing', search: 'search', editor: 'editing' };

/** The guide in the app: which of its pages is shown. The pages come with their first look. */
export class HelpController {
  place = $state.raw<Place>({ slug: 'start', heading: null });
  readonly searchFocus = new ViewRequest();
  #before = $state.raw<readonly Place[]>([]);
  readonly canGoBack = $derived(this.#before.length > 0);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  open(slug = this.place.slug, heading: string | null = null): void {
    if (slug !== this.place.slug) this.#before = [...this.#before.slice(-49), this.place];
    this.place = { slug, heading };
    this.#services.layout.view = 'help';
  }

  /** Help on where one is: the pane with the keyboard, else the view. */
  here(): void {
    const { layout, settingsPage } = this.#services;
    if (layout.view === 'settings') this.settings(settingsPage.section);
    else if (layout.view === 'help') this.search();
    else this.open(this.#pageHere());
  }

  /** Help on what the inspector shows. */
  inspector(tab = this.#services.layout.inspectorTab): void {
    this.open(INSPECTOR[tab]);
  }

  settings(section: SettingsSection): void {
    this.open(SECTIONS[section]);
  }

  search(): void {
    this.#services.layout.view = 'help';
    this.searchFocus.send();
  }

  #pageHere(): string | undefined {
    const { layout, views } = this.#services;
    const focused = typeof document === 'undefined' ? null : document.activeElement;
    const pane = focused?.closest<HTMLElement>('[data-pane]')?.dataset['pane'];
    if (pane === 'inspector') return INSPECTOR[layout.inspectorTab];
    return PANES[pane ?? ''] ?? (focused?.closest('[role=tree]') ? 'skills' : views.find(({ id }) => id === layout.view)?.guide);
  }

  back(): void {
    const last = this.#before.at(-1);
    if (!last) return;
    this.#before = this.#before.slice(0, -1);
    this.place = last;
  }
}
