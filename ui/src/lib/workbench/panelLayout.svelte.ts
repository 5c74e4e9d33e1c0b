import type { PanelTabId } from './ids';
import { DEFAULT_SIZES, type StoredLayout } from './storedLayout.svelte';
import type { WindowSize } from './windowSize.svelte';

/** The panel below the editors and below every other view. */
export class PanelLayout {
  readonly #stored: StoredLayout;
  readonly #window: WindowSize;
  readonly shown = $derived.by(() => this.#stored.values.showPanel);
  readonly tab = $derived.by(() => this.#stored.values.panelTab);
  readonly maxHeight = $derived.by(() => Math.max(80, Math.round(this.#window.height * 0.6)));
  readonly height = $derived.by(() => Math.min(this.#stored.values.panel, this.maxHeight));

  constructor(stored: StoredLayout, window: WindowSize) {
    this.#stored = stored;
    this.#window = window;
  }

  show(tab: PanelTabId | undefined = this.tab): void {
    this.#stored.set({ showPanel: true, panelTab: tab });
  }

  hide(): void {
    this.#stored.set({ showPanel: false });
  }

  /** Hides the panel if it shows the tab already. */
  toggle(tab: PanelTabId | undefined = this.tab): void {
    if (this.shown && this.tab === tab) this.hide();
    else this.show(tab);
  }

  /** Shows another tab if the panel is shown. */
  select(tab: PanelTabId): void {
    this.#stored.set({ panelTab: tab });
  }

  resize(height: number = DEFAULT_SIZES.panel): void {
    this.#stored.set({ panel: height });
  }
}
