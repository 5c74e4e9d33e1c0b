/** Gives the focus back to the element that had it. What is larger than the window, such as an editor, isn't scrolled into view. */
export function restoreFocus(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
}
