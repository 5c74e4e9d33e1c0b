import { windowSettingKey, type Settings } from '$lib/api';
import type { InspectorTabId, PanelTabId } from './ids';

const KEY = 'ui.layout';
const WRITE_DELAY_MS = 250;

/** Tabs that features contribute; the first of each is the default. */
export interface LayoutTabs {
  panel: readonly PanelTabId[];
  inspector: readonly InspectorTabId[];
}

interface Values {
  sidebar: number;
  inspector: number;
  panel: number;
  showSidebar: boolean;
  showInspector: boolean;
  showPanel: boolean;
  inspectorTab: InspectorTabId | undefined;
  panelTab: PanelTabId | undefined;
}

export const DEFAULT_SIZES = { sidebar: 260, inspector: 360, panel: 170 } as const;

const DEFAULTS = { ...DEFAULT_SIZES, showSidebar: true, showInspector: true, showPanel: false } as const;

/** The part of the layout that the next start restores. Sizes are in pixels, as chosen; a small window may show less. */
export class StoredLayout {
  /** The window that the layout belongs to. Without a stored layout it starts with that of the window without a workspace. */
  windowKey = $state('');
  readonly #settings: Settings;
  readonly #tabs: LayoutTabs;
  readonly values = $derived.by<Values>(() => this.#read(this.#settings.get(windowSettingKey(KEY, this.windowKey)) ?? this.#settings.get(KEY)));

  constructor(settings: Settings, tabs: LayoutTabs) {
    this.#settings = settings;
    this.#tabs = tabs;
  }

  set(change: Partial<Values>): void {
    this.#settings.set(windowSettingKey(KEY, this.windowKey), { ...this.values, ...change }, WRITE_DELAY_MS);
  }

  #read(value: unknown): Values {
    const stored = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
    const size = (name: keyof typeof DEFAULT_SIZES): number => {
      const pixels = stored[name];
      return typeof pixels === 'number' && Number.isFinite(pixels) ? Math.max(80, pixels) : DEFAULTS[name];
    };
    const flag = (name: 'showSidebar' | 'showInspector' | 'showPanel'): boolean => {
      const shown = stored[name];
      return typeof shown === 'boolean' ? shown : DEFAULTS[name];
    };
    return {
      sidebar: size('sidebar'),
      inspector: size('inspector'),
      panel: size('panel'),
      showSidebar: flag('showSidebar'),
      showInspector: flag('showInspector'),
      showPanel: flag('showPanel'),
      inspectorTab: knownOr(this.#tabs.inspector, stored['inspectorTab']),
      panelTab: knownOr(this.#tabs.panel, stored['panelTab']),
    };
  }
}

/** A stored id if its feature still exists, else the first of the known ones. */
const knownOr = <Id extends string>(known: readonly Id[], stored: unknown): Id | undefined => known.find((id) => id === stored) ?? known[0];
