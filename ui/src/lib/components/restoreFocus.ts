import { tick } from 'svelte';

/** The element of the main view that is shown; the editors have none. */
const VIEW = 'main[data-region]';

/** Whether nothing has the focus, such as after the removal of the element that had it. A whole view has it only then. */
export function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.matches(VIEW);
}

/** Once the DOM is up to date, focuses the view that is shown if nothing has the focus: Tab continues there. */
export async function focusViewIfLost(): Promise<void> {
  await tick();
  const view = document.querySelector<HTMLElement>(VIEW);
  if (!view || view === document.activeElement || !isFocusLost()) return;
  // A click into the view must not focus it.
  view.tabIndex = -1;
  view.addEventListener('blur', () => view.removeAttribute('tabindex'), { once: true });
  view.focus({ preventScroll: true });
}

/** Focuses an element again without scrolling, which would move an element larger than the window, such as an editor; else the view. */
export function restoreFocus(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  void focusViewIfLost();
}
