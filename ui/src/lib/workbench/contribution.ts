import type { Component } from 'svelte';
import type { Command } from '$lib/commands';
import type { LifecycleHooks } from './lifecycle.svelte';
import type { Providers, Services } from './services';

interface ActivityItem {
  id: string;
  title: string;
  icon: Component<{ size?: number; strokeWidth?: number; 'aria-hidden'?: 'true' }>;
  /** From the top; what is 90 or more stands at the bottom. */
  order: number;
  /** The command whose keys show it. */
  command: string;
  /** The page of the guide about it. */
  guide?: string;
  /** Counts what waits there, with the words for a screen reader. */
  badge?: (services: Services) => { count: number; label: string } | null;
}

/** A view that takes the place of the editors. Its component is loaded with its first look. */
export interface MainView extends ActivityItem {
  load: () => Promise<{ default: Component<{ services: Services }> }>;
}

/** A view beside the editors. */
export interface SidebarView extends ActivityItem {
  show: (services: Services) => unknown;
}

/** An item of the activity bar. */
export type View = MainView | SidebarView;

/** What a feature adds to the window. It is loaded with the window and must be light: whatever is drawn later is loaded by a function. */
export interface Contribution {
  id: string;
  services?: Providers;
  views?: readonly View[];
  commands?: (services: Services) => readonly Command[];
  lifecycle?: (services: Services) => LifecycleHooks;
}
