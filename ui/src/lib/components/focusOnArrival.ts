/**
 * For the list of a view, as an attachment: whoever comes to the view goes on with the arrow keys. The focus stays where it is if it was put
 * anywhere but on the view's button in the activity bar.
 */
export function focusOnArrival(list: HTMLElement): void {
  const active = document.activeElement;
  if (active === null || active === document.body || active.matches('[data-view]')) list.focus();
}
