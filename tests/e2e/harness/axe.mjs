// Accessibility as axe sees it, in the page that a person has in front.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// WebDriver's scripts are not the page's own: its content-security policy stays as it is.
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 up to AA, and what axe's authors hold for good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * axe's category of the rules on color: contrast, and links marked by color alone. A theme changes colors and nothing else, so the
 * other rules, which read elements, names and sizes, have the same results in both themes.
 */
const COLOR = 'cat.color';

/** Rules left out, each with its reason. */
const LEFT_OUT = {
  // No part of WCAG. A splitter lies between two landmarks, a list of completions over them, the window's own heading before
  // them: nobody looks for these in a landmark.
  region: 'not content of a page',
};

/** Elements that a rule doesn't fit, each with its reason. */
const EXCEPT = [
  // What it is called comes first in its name, as it is seen; the rest of the card is said in words instead of marks.
  { rule: 'label-content-name-mismatch', marked: 'data-testid="library-skill"' },
  // What was found is in its name; how often and in which line is said in words instead of the number beside it.
  { rule: 'label-content-name-mismatch', marked: 'data-testid="search-row"' },
];

/**
 * What axe finds wrong, a text for each element.
 * @param {import('./window.mjs').Browser} browser
 * @param {{ onlyColor?: boolean }} [options]
 * @returns {Promise<string[]>}
 */
export async function violations(browser, { onlyColor = false } = {}) {
  if (!(await browser.execute(() => 'axe' in window))) await browser.execute(SOURCE);
  const found = await browser.executeAsync(
    (/** @type {string[]} */ tags, /** @type {string[]} */ without, /** @type {string | null} */ category, /** @type {(answer: any) => void} */ done) => {
      const { axe } = /** @type {any} */ (window);
      const left = axe.getRules(tags).filter((/** @type {any} */ rule) => without.includes(rule.ruleId) || (category !== null && !rule.tags.includes(category)));
      const rules = Object.fromEntries(left.map((/** @type {any} */ rule) => [rule.ruleId, { enabled: false }]));
      axe
        .run(document, { runOnly: { type: 'tag', values: tags }, rules, resultTypes: ['violations'] })
        // The driver copies what it is given, so it isn't given the rules that passed.
        .then((/** @type {any} */ { violations }) => done({ violations }), (/** @type {Error} */ error) => done({ error: String(error.stack ?? error) }));
    },
    TAGS,
    Object.keys(LEFT_OUT),
    onlyColor ? COLOR : null,
  );
  if (found.error) throw new Error(`axe failed: ${found.error}`);
  const fits = (/** @type {string} */ rule, /** @type {string} */ html) => !EXCEPT.some((one) => one.rule === rule && html.includes(one.marked));
  return found.violations.flatMap((/** @type {any} */ rule) =>
    rule.nodes.filter((/** @type {any} */ node) => fits(rule.id, node.html)).map((/** @type {any} */ node) => {
      const why = [...node.any, ...node.all, ...node.none].map((one) => one.message).join('; ') || rule.help;
      return `${rule.id}: ${why}\n  ${node.html.slice(0, 240)}\n  ${node.target.join(' ')}`;
    }),
  );
}

/**
 * Parts of the window that were scrolled although they have no scrollbar: what is in them can't be reached again.
 * @param {import('./window.mjs').Browser} browser
 * @returns {Promise<string[]>}
 */
export function scrolledParts(browser) {
  return browser.execute(() => [document.documentElement, ...document.querySelectorAll('body, body *')].flatMap((one) => {
    const style = getComputedStyle(one);
    // The end of a name that is cut off is scrolled to while it is typed or selected, and comes back by itself.
    // What scrolls has no bars while a dialog is in front of it.
    if (one instanceof HTMLElement && one.style.overflow === 'hidden') return [];
    if (style.textOverflow === 'ellipsis' || /auto|scroll/.test(`${style.overflowX} ${style.overflowY}`)) return [];
    return one.scrollTop === 0 && one.scrollLeft === 0 ? [] : [`${one.tagName.toLowerCase()}.${one.className} is scrolled by ${one.scrollLeft}, ${one.scrollTop}`];
  }));
}
