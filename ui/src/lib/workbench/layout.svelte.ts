import { placeKey, type Settings } from '$lib/api';

const KEY = 'ui.layout';

export type InspectorTab = (typeof INSPECTOR_TABS)[number];

const INSPECTOR_TABS = ['preview', 'run', 'optimize', 'outline', 'info', 'history'] as const;

export type PanelTab = (typeof PANEL_TABS)[number];

const PANEL_TABS = ['problems', 'references', 'tasks', 'log'] as const;

interface Stored {
  sidebar: number;
  inspector: number;
  panel: number;
  showSidebar: boolean;
  showInspector: boolean;
  showPanel: boolean;
  inspectorTab: InspectorTab;
  panelTab: PanelTab;
}

export const USUAL: Stored = {
  sidebar: 260,
  inspector: 360,
  panel: 170,
  showSidebar: true,
  showInspector: true,
  showPanel: false,
  inspectorTab: 'preview',
  panelTab: 'problems',
};

/** The sizes of the panes and which of them are shown. They are remembered. */
export class Layout {
  windowWidth = $state(1280);
  windowHeight = $state(800);
  /** The editors, or the view that takes their place, by its id. */
  view = $state('editor');
  /** What is beside the editor. */
  side = $state<'skills' | 'search'>('skills');
  /** The inspector lies over the editors, where there is no room for it beside them. */
  inspectorOver = $state(false);
  /** Where the window works: another window's panes are its own. A place that has none yet begins like the one without a folder. */
  place = $state('');
  readonly #settings: Settings;
  readonly #stored = $derived.by<Stored>(() => read(this.#settings.get(placeKey(KEY, this.place)) ?? this.#settings.get(KEY)));
  readonly showSidebar = $derived(this.#stored.showSidebar);
  readonly showInspector = $derived(this.#stored.showInspector);
  readonly showPanel = $derived(this.#stored.showPanel);
  readonly inspectorTab = $derived(this.#stored.inspectorTab);
  readonly panelTab = $derived(this.#stored.panelTab);
  // In a small window the panes give way, so that the editor keeps a usable width.
  readonly maxSidebar = $derived(Math.max(160, Math.round(this.windowWidth * 0.24)));
  readonly maxInspector = $derived(Math.max(220, Math.round(this.windowWidth * (this.windowWidth < 1100 ? 0.32 : 0.45))));
  readonly maxPanel = $derived(Math.max(80, Math.round(this.windowHeight * 0.6)));
  readonly sidebar = $derived(Math.min(this.#stored.sidebar, this.maxSidebar));
  readonly inspector = $derived(Math.min(this.#stored.inspector, this.maxInspector));
  readonly panel = $derived(Math.min(this.#stored.panel, this.maxPanel));

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Shows the editor view with what is beside the editors. */
  showSidebarView(side: Layout['side']): void {
    this.view = 'editor';
    this.side = side;
    this.set({ showSidebar: true });
  }

  /** Shows a tab of the panel below, or hides the panel when it is shown already. */
  togglePanel(tab: PanelTab = this.panelTab): void {
    const shown = this.showPanel && this.panelTab === tab;
    this.set(shown ? { showPanel: false } : { showPanel: true, panelTab: tab });
  }

  /** Shows the inspector, at a tab of it if one is said; over the editors where it has no place of its own. */
  showInspectorTab(inspectorTab: InspectorTab = this.inspectorTab): void {
    this.inspectorOver = true;
    this.set({ showInspector: true, inspectorTab });
  }

  /** Shows the inspector, or hides it when it is in sight. */
  toggleInspector(crowded: boolean): void {
    const shown = this.showInspector && (!crowded || this.inspectorOver);
    if (shown && crowded) this.inspectorOver = false;
    else if (shown) this.set({ showInspector: false });
    else this.showInspectorTab();
  }

  set(change: Partial<Stored>): void {
    this.#settings.set(placeKey(KEY, this.place), { ...this.#stored, ...change }, 250);
  }
}

function read(value: unknown): Stored {
  if (typeof value !== 'object' || value === null) return USUAL;
  const stored = value as Record<string, unknown>;
  const number = (name: 'sidebar' | 'inspector' | 'panel'): number => {
    const size = stored[name];
    return typeof size === 'number' && Number.isFinite(size) ? Math.max(80, size) : USUAL[name];
  };
  const flag = (name: 'showSidebar' | 'showInspector' | 'showPanel'): boolean => {
    const shown = stored[name];
    return typeof shown === 'boolean' ? shown : USUAL[name];
  };
  return {
    sidebar: number('sidebar'),
    inspector: number('inspector'),
    panel: number('panel'),
    showSidebar: flag('showSidebar'),
    showInspector: flag('showInspector'),
    showPanel: flag('showPanel'),
    inspectorTab: INSPECTOR_TABS.find((tab) => tab === stored['inspectorTab']) ?? 'preview',
    panelTab: PANEL_TABS.find((tab) => tab === stored['panelTab']) ?? 'problems',
  };
}
