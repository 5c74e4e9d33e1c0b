/** Hides tooltips during a drag, where they would cover drop targets. Returns a function that restores them. */
export function hideTitles(): () => void {
  const hidden = new Map<Element, string>();
  const hide = (event: Event): void => {
    for (let at = event.target instanceof Element ? event.target : null; at; at = at.parentElement) removeTitle(at);
  };
  const removeTitle = (element: Element): void => {
    const title = element.getAttribute('title');
    if (title === null) return;
    hidden.set(element, title);
    element.removeAttribute('title');
  };
  document.querySelectorAll('[title]').forEach(removeTitle);
  // Elements that are added meanwhile.
  document.addEventListener('pointerover', hide, true);
  return () => {
    document.removeEventListener('pointerover', hide, true);
    for (const [element, title] of hidden) if (!element.hasAttribute('title')) element.setAttribute('title', title);
  };
}
