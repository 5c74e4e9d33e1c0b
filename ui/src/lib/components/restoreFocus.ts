/** Focuses an element again without scrolling, which would move an element larger than the window, such as an editor. */
export function restoreFocus(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
}
