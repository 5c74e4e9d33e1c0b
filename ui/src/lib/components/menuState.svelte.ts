export interface MenuItem {
  label: string;
  shortcut?: string | undefined;
  disabled?: boolean;
  /** Draws a line above the item. */
  separated?: boolean;
  run: () => unknown;
}

export class MenuState {
  open = $state.raw<{ x: number; y: number; label: string; items: MenuItem[] } | null>(null);

  show(at: { x: number; y: number }, label: string, items: MenuItem[]): void {
    this.open = items.length > 0 ? { ...at, label, items } : null;
  }

  close(): void {
    this.open = null;
  }
}
