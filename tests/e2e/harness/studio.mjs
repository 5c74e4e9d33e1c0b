// The Studio as a person meets it: what is on the screen by test id, keys, and words.
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scrolledParts, violations } from './axe.mjs';
import { Command } from './command.mjs';
import { dragFromDesktop } from './desktopDrag.mjs';
import { pictures } from './pictures.mjs';
import { clickOnceStill } from './pointer.mjs';
import { endAll, processes } from './processes.mjs';
import { noteRetry } from './retries.mjs';
import { until } from './wait.mjs';
import { openWindow, surroundings } from './window.mjs';

/** @typedef {import('./window.mjs').Window} Window */
/** @typedef {import('./pointer.mjs').Found} Found */

/** Where the screen of a failed test goes. */
const FAILED = new URL('../logs/screens/', import.meta.url).pathname;
/** @param {string} name */
function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start these tests with \`cargo xtask test\``);
  return value;
}

/** What WebDriver calls the keys that are no characters. */
const KEYS = /** @type {Record<string, string>} */ ({
  Ctrl: '\uE009', Shift: '\uE008', Alt: '\uE00A', Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C', Backspace: '\uE003', Delete: '\uE017',
  Home: '\uE011', End: '\uE010', Up: '\uE013', Down: '\uE015', Left: '\uE012', Right: '\uE014', F2: '\uE032', F6: '\uE036', F7: '\uE037', F8: '\uE038', F10: '\uE03A',
});

/** A machine of our own: a home, a command line, and as many starts of the Studio as a test needs. */
export class Machine {
  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
    this.home = join(folder, 'inklings');
    this.command = new Command(needed('INKLINGS_BIN'), this.home);
    /** @type {Studio[]} */
    this.started = [];
  }

  static async make() {
    return new Machine(await mkdtemp(join(tmpdir(), 'inklings-e2e-')));
  }

  /**
   * An empty folder beside the home.
   * @param {string} name
   */
  async place(name) {
    const folder = join(this.folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** A copy of the Studio alone in a folder, as if everything beside it had been removed from the installation. */
  async studioAlone() {
    const program = join(await this.place('alone'), 'inklings-studio');
    await copyFile(needed('INKLINGS_STUDIO_BIN'), program);
    return program;
  }

  async start(program = needed('INKLINGS_STUDIO_BIN')) {
    const env = await surroundings(this.folder, { INKLINGS_HOME: this.home, DISPLAY: needed('DISPLAY') });
    const studio = new Studio(await openWindow({ program, env }));
    this.started.push(studio);
    await studio.one('shell');
    await studio.one('tree-item');
    await studio.recordKeys();
    return studio;
  }

  /** What the pictures showed that not everybody can see or use. */
  faults() {
    const faults = this.started.flatMap((studio) => [...studio.faults.values()]);
    if (faults.length > 0) throw new Error(`${faults.length} violations:\n${faults.join('\n')}`);
  }

  async clear() {
    for (const studio of this.started) await studio.window.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** No test takes a tenth of this; one that does waits for what will never come. */
const NEVER = 240_000;

/**
 * Runs `test` on a machine of its own, and on failure keeps a picture of the screen. A test that fails or never ends prints why
 * and is run once more on a new machine. The run's summary names such tests as flaky, and fails with more than a few.
 * @param {(machine: Machine) => Promise<void>} test
 * @param {number} [limit] in milliseconds
 */
export function onMachine(test, limit = NEVER) {
  return async (/** @type {import('node:test').TestContext} */ context) => {
    try {
      if (await once(test, context, limit)) return;
    } catch (error) {
      console.log(`failed, first attempt: ${context.name}\n${error instanceof Error ? error.stack : error}`);
    }
    noteRetry(context.name);
    if (!(await once(test, context, limit))) throw new Error('it never ended');
  };
}

/**
 * Whether the test came to its end.
 * @param {(machine: Machine) => Promise<void>} test
 * @param {import('node:test').TestContext} context
 * @param {number} milliseconds
 */
async function once(test, context, milliseconds) {
  const machine = await Machine.make();
  let stuck = false;
  /** @type {NodeJS.Timeout | undefined} */
  let giveUp;
  const limit = setTimeout(() => {
    stuck = true;
    console.log(`stuck: ${context.name}\n${machine.started.at(-1)?.window.asked.join('\n') ?? 'no window'}\n${processes()}`);
    endAll();
    // What waits for none of them can't be ended from here.
    giveUp = setTimeout(() => process.exit(1), NEVER / 2);
  }, milliseconds);
  try {
    await test(machine);
    machine.faults();
  } catch (error) {
    if (stuck) return false;
    const studio = machine.started.at(-1);
    const name = `failed-${context.name.replace(/\W+/g, '-').slice(0, 60)}`;
    await studio?.window.photograph(needed('INKLINGS_SCREEN'), join(FAILED, `${name}.png`)).catch(() => undefined);
    for (const key of await studio?.recordedKeys().catch(() => []) ?? []) console.log(key);
    if (studio?.window.output.trim()) console.log(studio.window.output.trim());
    for (const one of machine.started) for (const fault of one.faults.values()) console.log(fault);
    throw error;
  } finally {
    await machine.clear();
    clearTimeout(limit);
    clearTimeout(giveUp);
  }
  return true;
}

export class Studio {
  /** @param {Window} window */
  constructor(window) {
    this.window = window;
    this.browser = window.browser;
    /** @type {Map<string, string>} what is wrong, by what it is: in many views it is the same thing */
    this.faults = new Map();
  }

  /** Keeps the last key presses for the report of a failure: whether a key arrived, where, and whether something handled it. */
  async recordKeys() {
    await this.browser.execute(() => {
      const keys = /** @type {string[]} */ ([]);
      Object.assign(window, { recordedKeys: keys });
      window.addEventListener('keydown', (event) => {
        const { target, key } = event;
        const id = target instanceof Element ? target.closest('[data-testid]')?.getAttribute('data-testid') : null;
        // A handler that stops the event is done before this is read.
        setTimeout(() => {
          keys.push(`key ${key} at ${Math.round(event.timeStamp)} ms on ${id ?? 'nothing named'}${event.defaultPrevented ? ', handled' : ''}`);
          if (keys.length > 30) keys.shift();
        });
      }, true);
    });
  }

  async recordedKeys() {
    const keys = await this.browser.execute(() => ('recordedKeys' in window && Array.isArray(window.recordedKeys) ? window.recordedKeys.join('\n') : ''));
    return keys.split('\n').filter(Boolean);
  }

  /**
   * The first element with a test id, once it is there.
   * @param {string} id
   * @param {string} [more]  a selector that goes on from the test id's
   */
  async one(id, more = '') {
    return this.find(`[data-testid="${id}"]${more}`);
  }

  /** @param {string} selector */
  async find(selector) {
    // Asked in one call: `isDisplayed` takes three, and is asked more often than anything else.
    const isVisible = (/** @type {string} */ wanted) => {
      const visible = (/** @type {Element} */ one) => one.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true });
      const found = document.querySelector(wanted);
      return found !== null && (getComputedStyle(found).display === 'contents' ? [...found.children].some(visible) : visible(found));
    };
    await until(() => this.browser.execute(isVisible, selector), async () => `${selector} on the screen, which shows: ${await this.words('body')}`);
    return this.browser.$(selector);
  }

  /**
   * How many elements match now.
   * @param {string} selector
   */
  count(selector) {
    return this.browser.execute((wanted) => document.querySelectorAll(wanted).length, selector);
  }

  /**
   * The words of the first match, or nothing; newlines stay.
   * @param {string} selector
   */
  words(selector) {
    return this.browser.execute((wanted) => {
      const found = document.querySelector(wanted);
      return found instanceof HTMLElement ? found.innerText : '';
    }, selector);
  }

  /**
   * Waits until the element with test id `id` shows `wanted`.
   * @param {string} id
   * @param {string | RegExp} wanted
   * @param {{ deadline?: number }} [options]
   */
  async shows(id, wanted, options) {
    const selector = `[data-testid="${id}"]`;
    const matches = (/** @type {string} */ text) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
    await until(async () => {
      for (const text of await this.allWords(selector)) if (matches(text)) return true;
      return false;
    }, async () => `${wanted} in ${id}, which shows: ${(await this.allWords(selector)).join(' | ')}`, options);
  }

  /** @param {string} selector */
  allWords(selector) {
    return this.browser.execute(
      (wanted) => [...document.querySelectorAll(wanted)].map((found) => (found instanceof HTMLElement ? found.innerText : '')),
      selector,
    );
  }

  /**
   * Waits until nothing has the test id.
   * @param {string} id
   */
  async absent(id) {
    await until(async () => (await this.count(`[data-testid="${id}"]`)) === 0, `${id} to be absent`);
  }

  /** Waits until nothing lies over the window. */
  async noDialog() {
    await until(async () => (await this.count('dialog[open], [data-testid="palette"]')) === 0, 'nothing over the window');
  }

  /** Closes all short messages: in a small window they lie over what comes next. */
  async clearToasts() {
    const toasts = await this.browser.execute(() => {
      for (const button of document.querySelectorAll('[data-testid="toast"] button[aria-label="Dismiss"]')) if (button instanceof HTMLElement) button.click();
      return document.querySelectorAll('[data-testid="toast"]').length;
    });
    if (toasts > 0) await this.absent('toast');
  }

  /**
   * Presses keys together, such as `Ctrl+Shift+P`.
   * @param {string} chord
   */
  async press(chord) {
    const keys = chord.split('+').map((key) => KEYS[key] ?? key.toLowerCase());
    const action = this.browser.action('key');
    for (const key of keys) action.down(key);
    for (const key of keys.reverse()) action.up(key);
    await action.perform();
  }

  /**
   * Types key by key, as a person does.
   * @param {string} text
   */
  async type(text) {
    const action = this.browser.action('key');
    for (const character of text) {
      const key = character === '\n' ? KEYS.Enter : character;
      action.down(key).up(key);
    }
    await action.perform();
  }

  /**
   * Puts text in at the cursor at once, as pasting does: brackets don't close themselves.
   * @param {string} text
   */
  async paste(text) {
    await this.browser.execute((words) => document.execCommand('insertText', false, words), text);
  }

  /**
   * Clicks the button that reads `label`.
   * @param {string} label
   * @param {string} [inside]  selector
   */
  async button(label, inside = 'body') {
    const labeled = (/** @type {string} */ wanted, /** @type {string} */ selector) =>
      [...document.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement && (one.innerText.trim() === wanted || one.getAttribute('aria-label') === wanted));
    await clickOnceStill(this.browser, async () => {
      // Compared in the page: asking the driver about each button takes half a second.
      for (const reference of await this.browser.execute(labeled, label, `${inside} button`)) {
        const button = await this.browser.$(/** @type {any} */ (reference)).getElement();
        if (await button.isDisplayed()) return button;
      }
      return null;
    }, `a button "${label}" in ${inside} that stands still`);
  }

  /** @param {Found} found */
  click(found) {
    return clickOnceStill(this.browser, () => found, 'the element to stand still');
  }

  /**
   * Runs a command through the palette, by keyboard only.
   * @param {string} title
   */
  async run(title) {
    await this.press('Ctrl+Shift+P');
    await this.choose(title);
  }

  /**
   * Puts words into the open palette until its chosen option shows them, and takes it.
   * @param {string} words
   */
  async choose(words) {
    await this.focused('palette-input');
    await this.paste(words);
    const chosen = '[data-testid="palette-option"][aria-selected="true"]';
    await until(
      async () => (await this.words(chosen)).toLowerCase().includes(words.toLowerCase()),
      async () => `an option "${words}", the palette offers: ${(await this.allWords('[data-testid="palette-option"]')).join(' | ')}`,
    );
    await this.press('Enter');
  }

  /**
   * Waits for the focus to be on the element with a test id, or inside it.
   * @param {string} id
   */
  async focused(id) {
    const selector = `[data-testid="${id}"]`;
    await until(
      () => this.browser.execute((wanted) => document.activeElement?.closest(wanted) !== null && document.activeElement !== null, selector),
      `the focus on ${id}`,
    );
  }

  /**
   * Opens a file of a skill through the tree.
   * @param {string} skill  slug
   * @param {string} path
   * @param {string} [scope]
   */
  async open(skill, path, scope = 'account') {
    await this.openTab(skill, path, scope);
    await this.one('editor', `[data-path="${path}"]`);
    await this.find('[data-testid="editor"] .cm-content');
  }

  /**
   * The same for a file that is shown as something else than its text.
   * @param {string} skill  slug
   * @param {string} path
   * @param {string} [scope]
   */
  async openTab(skill, path, scope = 'account') {
    const row = `[data-skill="${skill}"][data-scope="${scope}"]`;
    await this.expand(`${row}[data-kind="skill"]`);
    const folders = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= folders.length; depth++) {
      await this.expand(`${row}[data-kind="folder"][data-path="${folders.slice(0, depth).join('/')}"]`);
    }
    const file = await this.one('tree-item', `${row}[data-path="${path}"]`);
    await file.doubleClick();
    await this.one('tab', `[data-path="${path}"][aria-selected="true"]`);
  }

  /** @param {string} row */
  async expand(row) {
    const open = `[data-testid="tree-item"]${row}[aria-expanded="true"]`;
    await until(async () => {
      // Asked by the row and not of its element, which shows another row once others come above it.
      if (await this.count(open)) return true;
      await (await this.one('tree-item', row)).click();
      return (await this.count(open)) > 0;
    }, `${row} to open`, { every: 300 });
  }

  /** The text in the editor; only what is on the screen of a long one. */
  text() {
    return this.browser.execute(() => {
      const lines = document.querySelectorAll('[data-testid="editor"] .cm-content .cm-line');
      return [...lines].map((line) => line.textContent).join('\n');
    });
  }

  /**
   * Replaces everything in the editor.
   * @param {string} text
   */
  async rewrite(text) {
    await this.edit();
    await this.press('Ctrl+A');
    await this.paste(text);
  }

  /** Puts the cursor into the editor. */
  async edit() {
    await (await this.find('[data-testid="editor"] .cm-content')).click();
    await this.focused('editor');
  }

  /** Whether the shown tab has unsaved text. @param {boolean} wanted */
  async unsaved(wanted) {
    await this.one('tab', `[aria-selected="true"][data-unsaved="${wanted}"]`);
  }

  /** Saves, and waits for it. */
  async save() {
    await this.press('Ctrl+S');
    await this.unsaved(false);
  }

  /**
   * Calls an operation of the core as the page does, and gives its result.
   * @param {string} name
   * @param {Record<string, unknown>} params
   * @returns {Promise<any>}
   */
  async call(name, params) {
    const { reply, error } = await this.browser.executeAsync((/** @type {string} */ name, /** @type {unknown} */ params, /** @type {(answer: any) => void} */ done) => {
      /** @type {any} */ (window).__TAURI_INTERNALS__.invoke('rpc', { name, params, workspace: null }).then(
        (/** @type {unknown} */ reply) => done({ reply }),
        (/** @type {unknown} */ error) => done({ error: JSON.stringify(error) }),
      );
    }, name, params);
    if (error) throw new Error(`${name} failed: ${error}`);
    return reply;
  }

  /**
   * Checks and keeps what the window shows, at each size.
   * @param {string} name
   * @param {Parameters<typeof pictures>[2]} [options]
   */
  pictures(name, options) {
    return pictures(this, name, options);
  }

  /**
   * Drags files from another program onto a place of the page.
   * @param {{ x: number, y: number }} at
   * @param {string[]} paths
   * @param {() => Promise<unknown>} [before]  runs before they are dropped
   */
  async dropFromDesktop(at, paths, before) {
    const window = await this.browser.getWindowRect();
    await dragFromDesktop(needed('DISPLAY'), { x: window.x + at.x, y: window.y + at.y }, paths, before);
  }

  /** What the window shows, once it stands still. */
  picture() {
    return this.window.picture(needed('INKLINGS_SCREEN'));
  }

  /**
   * Notes what is wrong with what is on the screen.
   * @param {string} view
   * @param {{ onlyColor?: boolean }} [options]
   */
  async accessible(view, options) {
    for (const fault of [...(await violations(this.browser, options)), ...(await scrolledParts(this.browser))]) {
      if (!this.faults.has(fault)) this.faults.set(fault, `${view}: ${fault}`);
    }
  }
}
