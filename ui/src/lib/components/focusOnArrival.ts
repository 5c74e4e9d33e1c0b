import { isFocusLost } from './restoreFocus';

/** An attachment that focuses the list of a view when it is shown, unless the focus is elsewhere than on the view or its activity bar item. */
export function focusOnArrival(list: HTMLElement): void {
  if (isFocusLost() || document.activeElement?.matches('[data-view]')) list.focus();
}
