/** While something is dragged, names of what it passes would cover the places it can be dropped at. Returns what shows them again. */
export function hideTitles(): () => void {
  const hidden = new Map<Element, string>();
  const hide = (event: Event): void => {
    for (let at = event.target instanceof Element ? event.target : null; at; at = at.parentElement) take(at);
  };
  const take = (element: Element): void => {
    const title = element.getAttribute('title');
    if (title === null) return;
    hidden.set(element, title);
    element.removeAttribute('title');
  };
  document.querySelectorAll('[title]').forEach(take);
  // What comes up meanwhile has a name as soon as the pointer gets there.
  document.addEventListener('pointerover', hide, true);
  return () => {
    document.removeEventListener('pointerover', hide, true);
    for (const [element, title] of hidden) if (!element.hasAttribute('title')) element.setAttribute('title', title);
  };
}
