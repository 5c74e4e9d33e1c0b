import type { OverlayId } from './ids';

/** The open palette, at most one. Dialogs depend on the state of their features instead. */
export class Overlays {
  #current = $state<OverlayId | null>(null);

  get current(): OverlayId | null {
    return this.#current;
  }

  show(id: OverlayId): void {
    this.#current = id;
  }

  close(): void {
    this.#current = null;
  }
}
