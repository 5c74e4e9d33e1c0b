/**
 * The web view of Linux draws the bars of what was scrolled a moment ago above everything, also above a dialog, and no
 * layer of the dialog's own helps. What lies behind one isn't scrolled, so it goes without bars until the dialog is gone.
 */
export function hideBarsBehind(front: HTMLElement): () => void {
  const hidden = new Map<HTMLElement, string>();
  let over = false;

  function look(): void {
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

  // In a smaller window other things scroll, once the window's parts have their new sizes.
  const resized = (): unknown => requestAnimationFrame(() => requestAnimationFrame(look));
  look();
  window.addEventListener('resize', resized);
  return () => {
    over = true;
    window.removeEventListener('resize', resized);
    for (const [element, overflow] of hidden) element.style.overflow = overflow;
  };
}

/** A bar beside the content is below the dialog as well, and the content would move without it. */
function takesRoom(element: HTMLElement, style: CSSStyleDeclaration): boolean {
  const borders = (...widths: string[]): number => widths.reduce((sum, width) => sum + (Number.parseFloat(width) || 0), 0);
  const wide = element.offsetWidth - element.clientWidth - borders(style.borderLeftWidth, style.borderRightWidth);
  const high = element.offsetHeight - element.clientHeight - borders(style.borderTopWidth, style.borderBottomWidth);
  return wide >= 1 || high >= 1;
}
