/** The palettes that lie over the window, one at a time. */
export class Overlays {
  #current = $state<string | null>(null);

  get current(): string | null {
    return this.#current;
  }

  show(id: string): void {
    this.#current = id;
  }

  close(): void {
    this.#current = null;
  }
}
