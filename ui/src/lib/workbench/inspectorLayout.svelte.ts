import { ViewRequest } from '$lib/components/viewRequest';
import type { InspectorTabId } from './ids';
import { DEFAULT_SIZES, type StoredLayout } from './storedLayout.svelte';
import type { WindowSize } from './windowSize.svelte';

export class InspectorLayout {
  /** Shown above the editors, since there is no room beside them. */
  isOver = $state(false);
  readonly focusRequest = new ViewRequest();
  readonly #stored: StoredLayout;
  readonly #window: WindowSize;
  readonly shown = $derived.by(() => this.#stored.values.showInspector);
  readonly tab = $derived.by(() => this.#stored.values.inspectorTab);
  readonly maxWidth = $derived.by(() => Math.max(220, Math.round(this.#window.width * (this.#window.width < 1100 ? 0.32 : 0.45))));
  readonly width = $derived.by(() => Math.min(this.#stored.values.inspector, this.maxWidth));

  constructor(stored: StoredLayout, window: WindowSize) {
    this.#stored = stored;
    this.#window = window;
  }

  /** Above the editors if there is no room beside them. */
  show(tab: InspectorTabId | undefined = this.tab): void {
    this.isOver = true;
    this.#stored.set({ showInspector: true, inspectorTab: tab });
  }

  /** Shows it with the focus in it. */
  focus(): void {
    this.show();
    this.focusRequest.send();
  }

  hide(): void {
    this.#stored.set({ showInspector: false });
  }

  /** `crowded`: whether there is no room beside the editors. */
  toggle(crowded: boolean): void {
    const visible = this.shown && (!crowded || this.isOver);
    if (visible && crowded) this.isOver = false;
    else if (visible) this.hide();
    else if (crowded) this.focus();
    else this.show();
  }

  /** Shows another tab without changing whether the inspector is shown. */
  select(tab: InspectorTabId): void {
    this.#stored.set({ inspectorTab: tab });
  }

  resize(width: number = DEFAULT_SIZES.inspector): void {
    this.#stored.set({ inspector: width });
  }
}
