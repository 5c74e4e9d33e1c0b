import type { Settings } from '$lib/api';
import type { SidebarViewId, ViewId } from './ids';
import { InspectorLayout } from './inspectorLayout.svelte';
import { PanelLayout } from './panelLayout.svelte';
import { SidebarLayout } from './sidebarLayout.svelte';
import { type LayoutTabs, StoredLayout } from './storedLayout.svelte';
import { WindowSize } from './windowSize.svelte';

/** Which view the window shows, and what is beside and below it. */
export class Layout {
  view = $state<ViewId>('editor');
  readonly window = new WindowSize();
  readonly stored: StoredLayout;
  readonly sidebar: SidebarLayout;
  readonly panel: PanelLayout;
  readonly inspector: InspectorLayout;

  constructor(settings: Settings, tabs: LayoutTabs & { sidebar: readonly SidebarViewId[] }) {
    this.stored = new StoredLayout(settings, tabs);
    const [first] = tabs.sidebar;
    if (!first) throw new Error('no feature has a view for the sidebar');
    this.sidebar = new SidebarLayout(this.stored, this.window, first);
    this.panel = new PanelLayout(this.stored, this.window);
    this.inspector = new InspectorLayout(this.stored, this.window);
  }

  /** Shows the editors with this view beside them. */
  showSidebarView(view: SidebarViewId): void {
    this.view = 'editor';
    this.sidebar.show(view);
  }
}
