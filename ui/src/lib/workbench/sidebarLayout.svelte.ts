import type { SidebarViewId } from './ids';
import { DEFAULT_SIZES, type StoredLayout } from './storedLayout.svelte';
import type { WindowSize } from './windowSize.svelte';

export class SidebarLayout {
  view: SidebarViewId;
  readonly #stored: StoredLayout;
  readonly #window: WindowSize;
  readonly shown = $derived.by(() => this.#stored.values.showSidebar);
  // In a small window the sidebar shrinks, so that the editor keeps a usable width.
  readonly maxWidth = $derived.by(() => Math.max(160, Math.round(this.#window.width * 0.24)));
  readonly width = $derived.by(() => Math.min(this.#stored.values.sidebar, this.maxWidth));

  constructor(stored: StoredLayout, window: WindowSize, view: SidebarViewId) {
    this.#stored = stored;
    this.#window = window;
    this.view = $state(view);
  }

  show(view: SidebarViewId = this.view): void {
    this.view = view;
    this.#stored.set({ showSidebar: true });
  }

  toggle(): void {
    this.#stored.set({ showSidebar: !this.shown });
  }

  resize(width: number = DEFAULT_SIZES.sidebar): void {
    this.#stored.set({ sidebar: width });
  }
}
