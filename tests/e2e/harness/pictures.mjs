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
/** Whether each size is looked at in both themes. Otherwise the large window is in one and the small one in the other. */
const EACH_SIZE_IN_BOTH = KEPT !== undefined || process.env.INKLINGS_FULL !== undefined;
const LARGE = /** @type {Size} */ ([1280, 800]);
const SMALL = /** @type {Size} */ ([900, 600]);

/** The setting that the theme commands write. Without a value the window follows the system. */
const THEME_SETTING = 'ui.theme';
/** The mean brightness that pictures of each theme have, also with a dialog and its backdrop over the window. */
const IS_IN_THEME = { light: (/** @type {number} */ mean) => mean > 160, dark: (/** @type {number} */ mean) => mean < 96 };

/**
 * Checks the accessibility of what the window shows, large in one theme and small in the other, and keeps pictures if there is a folder
 * for them: then each size is looked at in both themes. The small window is checked without the inspector, and with it above the editors.
 * Afterwards the window is large and has the theme that was set.
 * @param {Studio} studio
 * @param {string} name
 * @param {{ toasts?: boolean, pointer?: boolean, bothThemes?: boolean }} [options]  what else belongs to the picture: toasts, and the
 *   position of the pointer; whether the large window is returned in both themes
 * @returns {Promise<Map<Theme, Picture>>} of the large window
 */
export async function pictures(studio, name, { toasts = false, pointer = false, bothThemes = EACH_SIZE_IN_BOTH } = {}) {
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
  const switchTheme = async () => {
    theme = theme === 'light' ? 'dark' : 'light';
    await setTheme(studio, theme === first ? choice : theme, theme);
  };

  // Each size starts in the theme in which the previous one ended, so both themes are checked with all rules at some size.
  const lookInBothThemes = async (/** @type {string} */ name, /** @type {Size} */ size) => {
    const looks = new Map([[theme, await look(name, size)]]);
    await switchTheme();
    return looks.set(theme, await look(name, size, { onlyColor: true }));
  };
  const lookSmall = async (/** @type {string} */ name) => {
    if (EACH_SIZE_IN_BOTH) await lookInBothThemes(name, SMALL);
    else {
      await studio.window.painted();
      await studio.accessible(`${name}, ${theme}, ${SMALL.join('x')}`);
    }
  };

  const hasInspector = async () => (await studio.count('[data-testid="inspector"]')) > 0;
  await studio.window.resize(...LARGE);
  const large = bothThemes ? await lookInBothThemes(name, LARGE) : new Map([[theme, await look(name, LARGE)]]);
  const hadInspector = await hasInspector();
  if (!bothThemes) await switchTheme();
  await studio.window.resize(...SMALL);
  await lookSmall(name);
  if (hadInspector && !(await hasInspector()) && (await studio.count('dialog[open], [data-testid="pick-list"], [role="menu"]')) === 0) {
    await studio.browser.execute(() => void Object.assign(window, { focusBefore: document.activeElement }));
    await (await studio.one('status-inspector')).click();
    await studio.one('inspector');
    await lookSmall(`${name}-inspector`);
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
