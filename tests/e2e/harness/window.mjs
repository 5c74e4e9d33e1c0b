// A real program with a web view, driven over WebDriver in a session bus and folders of its own.
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { remote } from 'webdriverio';
import { Helper, findBelow, freePort } from './processes.mjs';
import { areAlike, capture, colors, png } from './screen.mjs';
import { DEADLINE, until } from './wait.mjs';

/** @typedef {import('webdriverio').Browser} Browser */
/** @typedef {import('./screen.mjs').Area & { rgb: Buffer }} Picture */

/** How long a page may take to follow its window's size, in milliseconds. */
const RESIZE_DELAY = 200;

/**
 * What keeps the program away from the person's own files and from a graphics card that isn't there.
 * @param {string} folder
 * @param {Record<string, string>} [more]
 */
export async function surroundings(folder, more = {}) {
  const places = { HOME: 'user', XDG_CONFIG_HOME: 'config', XDG_DATA_HOME: 'data', XDG_CACHE_HOME: 'cache', XDG_STATE_HOME: 'state', XDG_RUNTIME_DIR: 'run' };
  /** @type {Record<string, string>} */
  const own = {};
  for (const [name, place] of Object.entries(places)) {
    own[name] = join(folder, place);
    await mkdir(own[name], { recursive: true, mode: 0o700 });
  }
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(XDG_|DBUS_|WAYLAND_|INKLINGS_|NODE_|VSCODE_|CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME)/.test(name) && name !== 'SESSION_MANAGER'),
  );
  // What the system would open is written down instead.
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin/xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$1" >> '${join(folder, 'opened')}'\n`, { mode: 0o755 });
  return {
    ...inherited,
    ...own,
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    GDK_BACKEND: 'x11',
    NO_AT_BRIDGE: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    TAURI_WEBVIEW_AUTOMATION: 'true',
    // Windows are closed before the last of the page's compilers has earned back what it takes. Measurements have it, as users do.
    ...(process.env.INKLINGS_TIMES === undefined ? { JSC_useFTLJIT: 'false' } : {}),
    GTK_THEME: 'Adwaita',
    INKLINGS_KEYS: 'file',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ...more,
  };
}

/**
 * Starts `program` through WebKitWebDriver; `launcher` becomes it, after whatever it does before.
 * @param {{ program: string, launcher?: string, args?: string[], env: NodeJS.ProcessEnv }} options
 */
export async function openWindow({ program, launcher = program, args = [], env }) {
  const port = await freePort();
  const driver = new Helper('dbus-run-session', ['--', 'WebKitWebDriver', `--port=${port}`, '--host=127.0.0.1'], { env });
  try {
    await until(async () => {
      if (!driver.running) throw new Error(`WebKitWebDriver ended: ${driver.output}`);
      return (await fetch(`http://127.0.0.1:${port}/status`)).ok;
    }, 'WebKitWebDriver');
    const capabilities = { 'wdio:enforceWebDriverClassic': true, 'webkitgtk:browserOptions': { binary: launcher, args } };
    /** @type {string[]} */
    const asked = [];
    const browser = await remote({
      hostname: '127.0.0.1',
      port,
      logLevel: 'error',
      connectionRetryCount: 0,
      connectionRetryTimeout: 2 * DEADLINE,
      transformRequest: (request) => {
        asked.push(`${new Date().toISOString()} ${request.method ?? ''} ${typeof request.body === 'string' ? request.body.slice(0, 300) : ''}`);
        if (asked.length > 20) asked.shift();
        return request;
      },
      capabilities: /** @type {WebdriverIO.Capabilities} */ (capabilities),
    });
    return new Window(browser, driver, program, asked);
  } catch (error) {
    await driver.end();
    const said = driver.output.trim();
    throw new Error(`cannot open ${program}: ${error instanceof Error ? error.message : error}${said ? `\n${said}` : ''}`);
  }
}

export class Window {
  /**
   * @param {Browser} browser
   * @param {Helper} driver
   * @param {string} program
   * @param {string[]} asked  the last requests to the driver
   */
  constructor(browser, driver, program, asked) {
    this.browser = browser;
    this.driver = driver;
    this.program = realpathSync(program);
    this.asked = asked;
    /** @type {number | undefined} */
    this.cutAt = undefined;
  }

  /** What the program printed so far. */
  get output() {
    return this.driver.output;
  }

  /** The program's process id. */
  get processId() {
    const id = findBelow(this.driver.id, this.program);
    if (id === undefined) throw new Error(`${this.program} is not running`);
    return id;
  }

  /** Ends the program as a power cut would, as far as it can tell. */
  async kill() {
    const id = this.processId;
    process.kill(id, 'SIGKILL');
    await until(() => findBelow(this.driver.id, this.program) !== id, 'the killed program to be gone');
    await this.driver.end();
  }

  /** As a power cut: the program, the web view's processes and the driver end at once, whatever they were doing. */
  async cut() {
    const id = this.processId;
    this.cutAt = Date.now();
    this.driver.kill();
    await until(() => !existsSync(`/proc/${id}`), 'the killed program to be gone');
    await this.driver.end();
  }

  async close() {
    // A program that has died has no session to end.
    if (this.cutAt === undefined) await this.browser.deleteSession().catch(() => undefined);
    await this.driver.end();
  }

  /**
   * Gives the page exactly this size, whatever the window's frame takes.
   * @param {number} width
   * @param {number} height
   */
  async resize(width, height) {
    const inner = () => this.browser.execute(() => [window.innerWidth, window.innerHeight]);
    let [wide, high] = [width, height];
    let before = '';
    let since = 0;
    await until(async () => {
      const outer = await this.browser.setWindowRect(0, 0, wide, high);
      const [w, h] = await inner();
      const now = JSON.stringify([outer, w, h]);
      // Only what was read twice counts.
      if (now !== before) {
        [before, since] = [now, Date.now()];
        return false;
      }
      if (w === width && h === height) return true;
      // The page follows its window with a delay: a correction before that would come on top of the resize itself.
      if (Date.now() - since < RESIZE_DELAY) return false;
      wide += width - w;
      high += height - h;
      before = '';
      return false;
    }, async () => `a page of ${width}x${height}, it has ${(await inner()).join('x')}`, { every: 20 });
  }

  /**
   * A picture of the window once two looks in a row are alike, so that nothing is still being painted.
   * @param {string} screen  the X server's memory
   * @returns {Promise<Picture>}
   */
  async picture(screen) {
    await this.pause(true);
    await this.painted();
    const area = await this.browser.getWindowRect();
    let last = await capture(screen, area);
    await until(async () => {
      await this.painted();
      const next = await capture(screen, area);
      const still = areAlike(next, last);
      last = next;
      return still;
    }, 'the window to stand still');
    await this.pause(false);
    return { rgb: colors(last), ...area };
  }

  /**
   * Writes a picture to a file.
   * @param {Picture} picture
   * @param {string} file
   */
  async keep(picture, file) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, png(picture.rgb, picture));
  }

  /**
   * A picture in a file.
   * @param {string} screen  the X server's memory
   * @param {string} file
   */
  async photograph(screen, file) {
    await this.keep(await this.picture(screen), file);
  }

  /** Pauses endless animations, or lets them go on. @param {boolean} paused */
  async pause(paused) {
    await this.browser.execute((paused) => {
      for (const animation of document.getAnimations()) {
        if (animation.effect?.getTiming().iterations !== Infinity) continue;
        if (paused) animation.pause();
        else animation.play();
      }
    }, paused);
  }

  /** Resolves once transitions have ended, and everything that the page knows is on the screen: two frames later. */
  async painted() {
    await this.browser.executeAsync((/** @type {() => void} */ done) => {
      const transitions = document.getAnimations().filter((one) => one.playState === 'running' && one.effect?.getTiming().iterations !== Infinity);
      void Promise.allSettled(transitions.map((one) => one.finished)).then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())));
    });
  }
}
