import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { SCREEN } from '../harness/display.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';
import { surroundings } from '../harness/window.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const execute = promisify(execFile);

/** @param {Studio} studio */
const handles = (studio) => studio.browser.getWindowHandles();

/**
 * Drives the window that has the words in its status bar from now on.
 * @param {Studio} studio
 * @param {string} name  of the folder, or `No folder open`
 */
async function into(studio, name) {
  await until(async () => {
    for (const handle of await handles(studio)) {
      await studio.browser.switchToWindow(handle);
      if ((await studio.words('[data-testid="status-workspace"]')).trim() === name) return true;
    }
    return false;
  }, async () => `a window on ${name}, there are ${(await names(studio)).join(', ')}`);
}

/** The folders of all windows, sorted. @param {Studio} studio */
async function names(studio) {
  const all = [];
  for (const handle of await handles(studio)) {
    await studio.browser.switchToWindow(handle);
    all.push((await studio.words('[data-testid="status-workspace"]')).trim());
  }
  return all.sort();
}

/** @param {Studio} studio @param {string[]} wanted */
async function windowsAre(studio, wanted) {
  await until(async () => JSON.stringify(await names(studio)) === JSON.stringify([...wanted].sort()), async () => `windows on ${wanted.join(', ')}; there are ${(await names(studio)).join(', ')}`);
}

/** @param {Studio} studio @param {string} command @param {string} folder */
async function openFolder(studio, command, folder) {
  await studio.run(command);
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await until(async () => (await studio.words('[data-testid="palette-option"][aria-selected="true"]')).includes(folder), `${folder} offered`);
  await studio.press('Enter');
}

/** Another start of the Studio, as from a terminal. @param {Machine} machine @param {string[]} args */
async function startAgain(machine, ...args) {
  const env = await surroundings(machine.folder, { INKLINGS_HOME: machine.home, DISPLAY: process.env.DISPLAY ?? '' });
  return execute(process.env.INKLINGS_STUDIO_BIN ?? '', args, { env, timeout: 30_000 });
}

/** What is remembered of the windows. @param {Machine} machine */
async function remembered(machine) {
  const { stdout } = await execute('python3', ['-c', 'import sqlite3,sys;print((sqlite3.connect("file:"+sys.argv[1]+"?mode=ro",uri=True).execute("select value from settings where key=\'studio.windows\'").fetchone() or ["{}"])[0])', join(machine.home, 'agents.db')]);
  return JSON.parse(stdout).windows ?? [];
}

test('two windows on two folders keep their own tabs and panes; a folder is open once; closing one keeps the other', onMachine(async (machine) => {
  const [notes, tracker] = [await machine.place('notes'), await machine.place('tracker')];
  await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await openFolder(studio, 'Open folder', notes);
  await studio.shows('status-workspace', 'notes');
  await openFolder(studio, 'Open folder in new window', tracker);
  await windowsAre(studio, ['notes', 'tracker']);

  // Each has its own tabs and panes, and hears of what the other does to the account.
  await into(studio, 'tracker');
  await studio.open('consistency-checker-copy', 'SKILL.md');
  await studio.press('Ctrl+B');
  await studio.absent('tree-item');
  await into(studio, 'notes');
  assert.equal(await studio.count('[data-testid="tab"]'), 0);
  await studio.one('tree-item');
  await machine.command.json('skill', 'create', 'Made elsewhere', '--description', 'Made by another program.');
  await studio.one('tree-item', '[data-skill="made-elsewhere"]');

  // A folder that is open is shown where it is.
  await openFolder(studio, 'Open folder', tracker);
  await studio.absent('folder-input');
  await windowsAre(studio, ['notes', 'tracker']);
  await into(studio, 'notes');
  await openFolder(studio, 'Open folder in new window', tracker);
  await studio.absent('folder-input');
  await windowsAre(studio, ['notes', 'tracker']);
  await until(async () => (await remembered(machine)).at(-1)?.workspace === tracker, 'the window on tracker to have the keyboard');

  // What was typed last is a draft when the window is gone.
  await into(studio, 'tracker');
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('the last words');
  await studio.unsaved(true);
  // The window is gone before the driver has let go of its keys.
  await studio.press('Ctrl+Shift+W').catch((error) => assert.match(String(error), /no such window/));
  await until(async () => (await handles(studio)).length === 1, 'one window to be left');
  await into(studio, 'notes');
  await studio.shows('status-bar', /1 draft/);
  await studio.press('Ctrl+Shift+N');
  await windowsAre(studio, ['No folder open', 'notes']);
}));

test('a second start does what is wished in the first, and ends', onMachine(async (machine) => {
  const notes = await machine.place('my notes');
  const studio = await machine.start();
  await startAgain(machine);
  assert.equal((await handles(studio)).length, 1);
  await startAgain(machine, notes);
  await windowsAre(studio, ['No folder open', 'my notes']);
  await startAgain(machine, notes);
  await windowsAre(studio, ['No folder open', 'my notes']);
  await machine.command.json('studio', await machine.place('third'));
  await windowsAre(studio, ['No folder open', 'my notes', 'third']);

  const refused = await startAgain(machine, join(machine.folder, 'nowhere')).catch((error) => error);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /nowhere/);
  const own = await startAgain(machine, machine.home).catch((error) => error);
  assert.equal(own.code, 1);
  assert.match(own.stderr, /the folder of your account/);
  await windowsAre(studio, ['No folder open', 'my notes', 'third']);

  // Another account's folder has a Studio of its own, and what a killed one left is in nobody's way.
  await studio.window.kill();
  const again = await machine.start();
  await windowsAre(again, ['No folder open', 'my notes', 'third']);
}));

test('windows come back as they stood after a kill, without a folder that was removed', onMachine(async (machine) => {
  const [notes, removed] = [await machine.place('notes'), await machine.place('removed')];
  const studio = await machine.start();
  await openFolder(studio, 'Open folder', notes);
  await studio.shows('status-workspace', 'notes');
  await openFolder(studio, 'Open folder in new window', removed);
  await windowsAre(studio, ['removed', 'notes']);
  await into(studio, 'notes');
  await studio.browser.setWindowRect(140, 90, 1040, 700);
  await until(async () => {
    const one = (await remembered(machine)).find((/** @type {{ workspace: string }} */ window) => window.workspace === notes);
    return one?.width === 1040 && one.height === 700;
  }, async () => `the new size to be remembered: ${JSON.stringify(await remembered(machine))}`);
  const before = await remembered(machine);
  await studio.window.kill();
  await execute('rm', ['-r', removed]);

  const again = await machine.start();
  await windowsAre(again, ['No folder open', 'notes']);
  await into(again, 'notes');
  await until(async () => {
    const { width, height } = await again.browser.getWindowRect();
    return width === 1040 && height === 700;
  }, async () => `the window as it stood: ${JSON.stringify([await again.browser.getWindowRect(), before])}`);
  await into(again, 'No folder open');
  await again.shows('toast', /removed/);
  await until(async () => (await remembered(machine)).every((/** @type {{ workspace: string }} */ window) => window.workspace !== removed), 'the removed folder to be forgotten');
}));

test('a window that was remembered out of reach or tiny is put where it can be used', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.window.kill();
  const windows = [{ workspace: null, number: 0, width: 10, height: 10_000, at: [9_000, -4_000], maximized: false }];
  await execute('python3', ['-c', 'import sqlite3,sys;c=sqlite3.connect(sys.argv[1]);c.execute("insert or replace into settings (key,value,updated_at) values (\'studio.windows\',?,\'2026-01-01T00:00:00.000Z\')",[sys.argv[2]]);c.commit()', join(machine.home, 'agents.db'), JSON.stringify({ windows })]);
  const again = await machine.start();
  const { x, y, width, height } = await again.browser.getWindowRect();
  assert.ok(width >= 720 && height <= SCREEN.height && height >= 480, `${width}x${height}`);
  assert.ok(x >= 0 && y >= 0 && x < SCREEN.width && y < SCREEN.height, `at ${x},${y}`);
}));

test('zoom by key and palette, shown in the status bar, for all windows and after a restart', onMachine(async (machine) => {
  const studio = await machine.start();
  const wide = () => studio.browser.execute(() => window.innerWidth);
  const before = await wide();
  await studio.press('Ctrl+=');
  await studio.press('Ctrl+=');
  await studio.shows('status-zoom', '125%');
  await until(async () => Math.abs((await wide()) - before / 1.25) < 2, async () => `a page of ${before / 1.25}, it has ${await wide()}`);
  await studio.press('Ctrl+Shift+N');
  await until(async () => (await handles(studio)).length === 2, 'a second window');
  for (const handle of await handles(studio)) {
    await studio.browser.switchToWindow(handle);
    await studio.shows('status-zoom', '125%');
    await until(async () => Math.abs((await wide()) - before / 1.25) < 2, 'both windows to be zoomed');
  }
  await studio.window.kill();

  const again = await machine.start();
  await again.shows('status-zoom', '125%');
  const ratio = () => again.browser.execute(() => [window.innerWidth, window.outerWidth]);
  await until(async () => {
    const [inner, outer] = await ratio();
    return Math.abs(inner - outer / 1.25) < 3;
  }, async () => `a zoomed page: ${await ratio()}`);
  // The driver's pointer doesn't know of zoom and would miss.
  await again.browser.execute((button) => button.click(), await again.one('status-zoom'));
  await again.absent('status-zoom');
  await again.run('Zoom out');
  await again.shows('status-zoom', '90%');
  await again.run('Reset zoom');
  await again.absent('status-zoom');
}));

test('at twice the size every view and the whole status bar can be reached', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.window.resize(900, 600);
  for (const percent of [110, 125, 150, 175, 200]) {
    await studio.press('Ctrl+=');
    await studio.shows('status-zoom', `${percent}%`);
  }
  const cut = () => studio.browser.execute(() => {
    const bar = document.querySelector('[data-testid="status-bar"]');
    if (!bar) return ['no status bar'];
    const items = [...bar.querySelectorAll('button, span')].filter((one) => one.parentElement === bar);
    const outside = items.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1 || one.getBoundingClientRect().bottom > window.innerHeight + 1);
    return outside.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '');
  });
  await until(async () => (await cut()).length === 0, async () => `the whole status bar within the window, outside are: ${(await cut()).join(' | ')}`);
  const tab = '[data-region="activity"] [role="tab"]';
  for (let at = 0; at < (await studio.count(tab)); at++) {
    const isInside = () => studio.browser.execute((tab, at) => {
      const one = document.querySelectorAll(tab).item(at);
      // WebKit scrolls to what has the focus afterwards.
      if (one instanceof HTMLElement) one.focus();
      const { top, bottom } = one.getBoundingClientRect();
      const end = document.querySelector('[data-testid="status-bar"]')?.getBoundingClientRect().top ?? 0;
      return top >= 0 && bottom <= end + 1;
    }, tab, at);
    await until(isInside, `view ${at} within the window`);
  }
  // A list has as little room as its pixels on the page say, not those of the screen.
  await studio.run('Show library');
  await studio.run('Show library as list');
  const isNarrow = () => studio.browser.execute(() => {
    const description = document.querySelector('[data-testid="library-list"] .description');
    return description !== null && getComputedStyle(description).display === 'none';
  });
  await until(isNarrow, 'lines without a description');
}));

test('unsaved text of a window is kept when another window saves the same file', onMachine(async (machine) => {
  const slug = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  const drafts = async () => (await studio.call('draft/get', { skill: slug })).drafts.map((/** @type {{ text: string }} */ draft) => draft.text).join();
  await studio.open(slug, 'SKILL.md');
  const first = await studio.browser.getWindowHandle();
  await studio.press('Ctrl+Shift+N');
  await until(async () => (await handles(studio)).length === 2, 'a second window');
  const second = (await handles(studio)).find((handle) => handle !== first) ?? '';
  await studio.browser.switchToWindow(second);
  await studio.open(slug, 'SKILL.md');
  await studio.browser.switchToWindow(first);
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('Words of the first window.');
  await until(async () => (await drafts()).includes('first window'), 'the draft of the first window');
  await studio.browser.switchToWindow(second);
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('Words of the second.');
  await studio.press('Ctrl+S');
  await studio.unsaved(false);
  await studio.browser.switchToWindow(first);
  await studio.press('Ctrl+Shift+W').catch((error) => assert.match(String(error), /no such window/));
  await until(async () => (await handles(studio)).length === 1, 'one window to be left');
  await studio.browser.switchToWindow(second);
  await until(async () => (await drafts()).includes('first window'), 'the draft of the window that was closed');
}));

test('the log is shown, filtered and followed; the page’s errors are in it; the diagnostics tell no secret', onMachine(async (machine) => {
  await mkdir(machine.home, { recursive: true });
  const studio = await machine.start();
  const secret = ['sk-ant', 'api03-abcdefghijklmnopqrstuvwxyz'].join('-');
  await studio.browser.execute((words) => {
    setTimeout(() => {
      throw new Error(`the page broke with ${words}`);
    });
  }, secret);
  await studio.run('Toggle log');
  await studio.shows('log-line', /the page broke with \[redacted\]/);
  await (await studio.one('log-filter')).click();
  await studio.type('no such words');
  await studio.shows('panel', /No matching lines/);
  await studio.press('Ctrl+A');
  await studio.type('broke');
  await until(async () => (await studio.count('[data-testid="log-line"]')) === 1, 'one line');
  await (await studio.one('log-line')).click();
  await studio.shows('log-whole', /the page broke/i);

  await studio.run('Copy diagnostics');
  await studio.shows('toast', /Copied the diagnostics/);
  const printed = (await machine.command.json('diagnostics')).text;
  const filter = await studio.one('log-filter');
  await filter.click();
  await studio.press('Ctrl+A');
  await studio.press('Ctrl+V');
  const pasted = await until(async () => (await filter.getValue()).startsWith('Inklings') && filter.getValue(), 'the diagnostics in the clipboard');
  for (const report of [printed, pasted]) {
    assert.match(report, /^Inklings Skill Studio \d/);
    assert.match(report, /agents\.db: ok/);
    assert.match(report, /the page broke with \[redacted\]/);
    assert.doesNotMatch(report, new RegExp(secret));
  }
  const kept = await readFile(join(machine.home, 'logs', 'studio.log'), 'utf8');
  assert.match(kept, /the page broke with \[redacted\]/);
  assert.doesNotMatch(kept, new RegExp(secret));
  await studio.window.kill();

  const again = await machine.start();
  // The panel is shown as it was, and earlier lines with it.
  await again.shows('log-line', /the page broke/);
}));

test('what can’t start has diagnostics too', onMachine(async (machine) => {
  // A folder can't be where a file is.
  await writeFile(machine.home, '');
  const refused = await machine.command.json('diagnostics').catch((error) => error);
  assert.equal(refused.code, 1);
  const { text } = JSON.parse(refused.stdout);
  assert.match(text, /Start failed: .*inklings/);
  assert.match(text, /agents\.db: not opened, no file/);
}));
