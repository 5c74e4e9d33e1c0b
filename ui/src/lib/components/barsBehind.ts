/**
 * WebKitGTK draws the scrollbars of recently scrolled elements above everything, even above dialogs in the top layer. So scrollbars behind
 * a dialog are hidden until it closes.
 */
export function hideBarsBehind(front: HTMLElement): () => void {
  const hidden = new Map<HTMLElement, string>();
  let over = false;

  function update(): void {
    if (over) return;
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const scrolls = element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth;
      if (!scrolls || front.contains(element)) continue;
      const style = getComputedStyle(element);
      if (!/auto|scroll/.test(`${style.overflowX} ${style.overflowY}`) || takesRoom(element, style)) continue;
      hidden.set(element, element.style.overflow);
      element.style.overflow = 'hidden';
    }
  }

  // After a resize other elements may scroll, once the layout is updated.
  const resized = (): unknown => requestAnimationFrame(() => requestAnimationFrame(update));
  update();
  window.addEventListener('resize', resized);
  return () => {
    over = true;
    window.removeEventListener('resize', resized);
    for (const [element, overflow] of hidden) element.style.overflow = overflow;
  };
}

/** Scrollbars beside the content stay, since the content would move without them. */
function takesRoom(element: HTMLElement, style: CSSStyleDeclaration): boolean {
  const borders = (...widths: string[]): number => widths.reduce((sum, width) => sum + (Number.parseFloat(width) || 0), 0);
  const wide = element.offsetWidth - element.clientWidth - borders(style.borderLeftWidth, style.borderRightWidth);
  const high = element.offsetHeight - element.clientHeight - borders(style.borderTopWidth, style.borderBottomWidth);
  return wide >= 1 || high >= 1;
}
