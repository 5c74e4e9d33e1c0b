// Clicks that hit what they are meant for.
import { until } from './wait.mjs';

/** @typedef {WebdriverIO.Element | ReturnType<import('./window.mjs').Browser['$']>} Found */

/**
 * Clicks once the element stands still: what arrives meanwhile would move it away from under the pointer. It is looked for each
 * time, as what is drawn anew meanwhile is another element. A click that hit something else, because the element moved after all,
 * is repeated.
 * @param {import('./window.mjs').Browser} browser
 * @param {() => Found | null | Promise<Found | null>} find
 * @param {string} what
 */
export async function clickOnceStill(browser, find, what) {
  let last = '';
  await until(async () => {
    const found = await find();
    if (!found) return false;
    const place = await browser.execute((/** @type {any} */ element) => JSON.stringify(element.getBoundingClientRect()), found);
    const moved = place !== last;
    last = place;
    if (moved) return false;
    await browser.execute((/** @type {any} */ element) => {
      Object.assign(window, { pointerHit: null });
      window.addEventListener('mousedown', ({ target }) => Object.assign(window, { pointerHit: target instanceof Node && element.contains(target) }), { capture: true, once: true });
    }, found);
    await /** @type {WebdriverIO.Element} */ (found).click();
    // A window that closes with the click can't be asked; `null` is a click that the driver made without a pointer.
    return (await browser.execute(() => 'pointerHit' in window && window.pointerHit === false).catch(() => false)) === false;
  }, what);
}
