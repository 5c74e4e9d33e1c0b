import type { Component } from 'svelte';
import type { Command } from '$lib/commands';
import type { MenuItem } from '$lib/components';
import type { InspectorTabId, OverlayId, PanelTabId, SidebarViewId, ViewId } from './ids';
import type { LifecycleHooks } from './lifecycle.svelte';
import type { Providers, Services } from './services';

type Part = Component<{ services: Services }>;
type Icon = Component<{ size?: number; strokeWidth?: number; 'aria-hidden'?: 'true' }>;

/** A component with the prop `services`, loaded with the window or when it is first shown. */
export type Source = { component: Part } | { load: () => Promise<{ default: Part }> };

/**
 * An item of a contribution point. Ids are unique in their point. Items are sorted by `order`, then in the order of the features. `command` and
 * `guide` must exist.
 */
export interface Contributed {
  id: string;
  order?: number;
  command?: string;
  /** A page of the guide. */
  guide?: string;
}

interface ActivityItem extends Contributed {
  title: string;
  icon: Icon;
  /** Items from 90 on are at the bottom of the activity bar. */
  order: number;
  /** Its keys are shown in the item's tooltip. */
  command: string;
  badge?: (services: Services) => { count: number; label: string } | null;
}

/** Replaces the editors. */
export type MainView = ActivityItem &
  Source & {
    id: ViewId;
    isMain: true;
    /** Escape returns to the editors. */
    closesOnEscape?: true;
  };

/** Beside the editors. */
export type SidebarView = ActivityItem &
  Source & {
    id: SidebarViewId;
    isMain: false;
    /** The accessible name of the sidebar while it shows this. */
    label: string;
    show: (services: Services) => unknown;
  };

export type View = MainView | SidebarView;

export interface Action {
  label: string;
  icon: Icon;
  run: () => unknown;
}

/** A tab of the panel. */
export type PanelTab = Contributed &
  Source & {
    id: PanelTabId;
    label: string;
    /** How many entries it has; shown from 1 on. */
    count?: (services: Services) => number;
    /** Buttons beside the tabs while this one is shown. */
    actions?: (services: Services) => readonly Action[];
  };

export type InspectorTab = Contributed &
  Source & {
    id: InspectorTabId;
    label: string;
    /** Names it in "Couldn’t load the …"; the label if absent. */
    noun?: string;
    /** Absent: always. */
    when?: (services: Services) => boolean;
    /** The tab that is shown instead while `when` is false, or if this one can't be loaded. */
    fallback?: InspectorTabId;
  };

/** A palette or dialog. */
export interface Overlay extends Contributed {
  id: OverlayId;
  /** Absent: while it is the current one of `services.overlays`. */
  isOpen?: (services: Services) => boolean;
  load: () => Promise<{ default: Part }>;
  /** Loads it after the first paint, so that it opens without delay. */
  preload?: true;
}

export interface StatusText {
  text: string;
  title?: string;
  icon?: Icon;
  /** What a click does; without it the item is plain text. */
  run?: () => unknown;
  isWarning?: boolean;
  /** Uses tabular figures, for numbers that change often. */
  isNumeric?: boolean;
  /** May be cut off in a small window. */
  shrinks?: boolean;
  /** `data-state`, for tests. */
  state?: string;
}

/** An item of the status bar, drawn from a text or, where that isn't enough, by a component. Null: not shown now. */
export type StatusItem = Contributed & { side: 'left' | 'right' } & ({ status: (services: Services) => StatusText | null } | { component: Part });

/** Above everything else in the window. */
export type BannerArea = Contributed & { component: Part };

/** The first one that returns a menu wins. */
export interface ContextMenu extends Contributed {
  menuOf: (services: Services, target: Element, at: { x: number; y: number }) => { label: string; items: MenuItem[] } | null;
}

/**
 * What a feature adds to the window. It is loaded at startup and must be small: components that are shown later are loaded by functions.
 * A feature that others extend declares its own points here (`declare module '$lib/workbench/contribution'`).
 */
export interface Contribution {
  id: string;
  services?: Providers;
  views?: readonly View[];
  panelTabs?: readonly PanelTab[];
  inspectorTabs?: readonly InspectorTab[];
  overlays?: readonly Overlay[];
  statusItems?: readonly StatusItem[];
  banners?: readonly BannerArea[];
  contextMenus?: readonly ContextMenu[];
  /** Shown when no main view is. Exactly one feature contributes it. */
  editorArea?: Part;
  commands?: (services: Services) => readonly Command[];
  lifecycle?: (services: Services) => LifecycleHooks;
}
