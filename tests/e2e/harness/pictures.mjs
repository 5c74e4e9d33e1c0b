// The window at two sizes and in both themes: what axe says of it, and pictures of it for review.
import { join } from 'node:path';
import { brightness } from './screen.mjs';
import { until } from './wait.mjs';

/** @typedef {import('./studio.mjs').Studio} Studio */
/** @typedef {import('./window.mjs').Picture} Picture */
/** @typedef {'light' | 'dark'} Theme */
/** @typedef {readonly [width: number, height: number]} Size  of the page, in CSS pixels */

/** Where pictures for review go. Without it none are kept: `cargo xtask pictures` sets it. */
const KEPT = process.env.INKLINGS_SCREENS;
const LARGE = /** @type {Size} */ ([1280, 800]);
const SMALL = /** @type {Size} */ ([900, 600]);

/** @type {readonly Theme[]} */
export const THEMES = ['light', 'dark'];
/** The setting that the theme commands write. Without a value the window follows the system. */
const THEME_SETTING = 'ui.theme';
/** The mean brightness that pictures of each theme have, also with a dialog and its backdrop over the window. */
const IS_IN_THEME = { light: (/** @type {number} */ mean) => mean > 160, dark: (/** @type {number} */ mean) => mean < 96 };

/**
 * Checks the accessibility of what the window shows, at each size and in both themes, and keeps pictures if there is a folder for
 * them. The small window is checked without the inspector, and with it above the editors. Afterwards the window is large and has the
 * theme that was set.
 * @param {Studio} studio
 * @param {string} name
 * @param {{ toasts?: boolean, pointer?: boolean }} [keep]  what else belongs to the picture: toasts, and the position of the pointer
 * @returns {Promise<Record<Theme, Picture>>} of the large window
 */
export async function pictures(studio, name, { toasts = false, pointer = false } = {}) {
  if (toasts) await holdToasts(studio, true);
  else await studio.clearToasts();
  /** @type {Theme | null} */
  const choice = (await studio.call('settings/get', {})).values[THEME_SETTING] ?? null;
  const first = await shownTheme(studio);
  let theme = first;

  const look = async (/** @type {string} */ name, /** @type {Size} */ [width, height], { onlyColor = false } = {}) => {
    // A previous step may have left the pointer on a control, which would be highlighted or show its tooltip. This part of the
    // activity bar is empty.
    if (KEPT && !pointer) await studio.browser.action('pointer').move({ x: 6, y: Math.round(height * 0.7) }).perform();
    const picture = await until(async () => {
      const shown = await studio.picture();
      return IS_IN_THEME[theme](brightness(shown.rgb)) ? shown : null;
    }, `${name} in the colors of the ${theme} theme`);
    // A zoomed page has this size, and its window another.
    if (picture.width !== width || picture.height !== height) throw new Error(`${name} has ${picture.width}x${picture.height} pixels instead of ${width}x${height}`);
    if (KEPT) await studio.window.keep(picture, join(KEPT, `${name}-${theme}-${width}x${height}.png`));
    await studio.accessible(`${name}, ${theme}, ${width}x${height}`, { onlyColor });
    return picture;
  };

  // Each size starts in the theme in which the previous one ended, so both themes are checked with all rules at some size.
  const lookInBothThemes = async (/** @type {string} */ name, /** @type {Size} */ size) => {
    const before = await look(name, size);
    theme = theme === 'light' ? 'dark' : 'light';
    await setTheme(studio, theme === first ? choice : theme, theme);
    const after = await look(name, size, { onlyColor: true });
    return theme === 'dark' ? { light: before, dark: after } : { light: after, dark: before };
  };

  const hasInspector = async () => (await studio.count('[data-testid="inspector"]')) > 0;
  await studio.window.resize(...LARGE);
  const large = await lookInBothThemes(name, LARGE);
  const hadInspector = await hasInspector();
  await studio.window.resize(...SMALL);
  await lookInBothThemes(name, SMALL);
  if (hadInspector && !(await hasInspector()) && (await studio.count('dialog[open], [data-testid="pick-list"], [role="menu"]')) === 0) {
    await studio.browser.execute(() => void Object.assign(window, { focusBefore: document.activeElement }));
    await (await studio.one('status-inspector')).click();
    await studio.one('inspector');
    await lookInBothThemes(`${name}-inspector`, SMALL);
    await studio.window.resize(...LARGE);
    await studio.browser.execute(() => /** @type {any} */ (window).focusBefore?.focus({ preventScroll: true }));
  }
  await studio.window.resize(...LARGE);
  if (theme !== first) await setTheme(studio, choice, first);
  if (toasts) await holdToasts(studio, false);
  return large;
}

/**
 * @param {Studio} studio
 * @returns {Promise<Theme>}
 */
function shownTheme(studio) {
  return studio.browser.execute(() => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'));
}

/**
 * Sets the theme as another window would, which leaves dialogs, menus and the focus of this one alone. Like the theme commands it
 * changes the setting, from which everything that depends on the theme is derived: the colors of the page, and charts on a canvas.
 * @param {Studio} studio
 * @param {Theme | null} choice  null for that of the system
 * @param {Theme} shown
 */
async function setTheme(studio, choice, shown) {
  await studio.call('settings/set', { key: THEME_SETTING, value: choice });
  await until(async () => (await shownTheme(studio)) === shown, `the ${shown} theme`, { every: 20 });
}

/** Toasts stay while the pointer is on them. @param {Studio} studio @param {boolean} held */
function holdToasts(studio, held) {
  return studio.browser.execute((type) => void document.querySelector('[data-testid="toast"]')?.parentElement?.dispatchEvent(new PointerEvent(type)), held ? 'pointerenter' : 'pointerleave');
}
