/** An attachment that focuses the list of a view when it is shown, unless the focus is elsewhere than on the view's activity bar item. */
export function focusOnArrival(list: HTMLElement): void {
  const active = document.activeElement;
  if (active === null || active === document.body || active.matches('[data-view]')) list.focus();
}
