const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [contenteditable="true"], [tabindex]:not([tabindex="-1"])';
/** What the keyboard is for in a region, rather than its first button. */
const MAIN = '[role="tree"], .cm-content, [role="tab"][aria-selected="true"]';

const isShown = (element: Element): boolean => element.getClientRects().length > 0;

/** Focuses the next or previous part of the window: activity bar, sidebar, editors, panel, inspector, status bar. */
export function focusRegion(root: Document, by: 1 | -1): void {
  const regions = [...root.querySelectorAll<HTMLElement>('[data-region]')].filter(isShown);
  const current = root.activeElement?.closest('[data-region]') ?? null;
  const start = regions.findIndex((region) => region === current);
  for (let step = 1; step <= regions.length; step += 1) {
    const region = regions[(Math.max(start, by === 1 ? -1 : 0) + by * step + regions.length * 2) % regions.length];
    const target = region && targetIn(region);
    if (target) {
      target.focus();
      return;
    }
  }
}

function targetIn(region: HTMLElement): HTMLElement | undefined {
  // A region inside is one of its own.
  const own = (element: HTMLElement): boolean => element.closest('[data-region]') === region && isShown(element) && element.tabIndex >= 0;
  const all = (selector: string): HTMLElement | undefined => [...region.querySelectorAll<HTMLElement>(selector)].find(own);
  return all(MAIN) ?? all(FOCUSABLE);
}
