import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

/** @param {string} path */
const front = (path) => `---\nname: ${path}\ndescription: ${path.replace(/-/g, ' ')}, something that someone at a news desk does each day.\n---\n\nDo it.\n`;

/**
 * Two skills with files beside SKILL.md.
 * @param {Machine} machine
 */
async function desk(machine) {
  const folder = await machine.place('desk');
  /** @type {Record<string, Record<string, string>>} */
  const skills = {
    'news-desk': { 'notes.md': 'notes\n', 'references/style.md': 'style\n', 'references/names.md': 'names\n', 'data/table.csv': 'a,b\n1,2\n' },
    'press-review': { 'notes.md': 'other notes\n' },
  };
  for (const [name, files] of Object.entries(skills)) {
    for (const [path, text] of Object.entries({ 'SKILL.md': front(name), ...files })) {
      await mkdir(join(folder, name, path, '..'), { recursive: true });
      await writeFile(join(folder, name, path), text);
    }
  }
  await machine.command.json('import', folder);
}

/**
 * The files of a skill as the command line has them.
 * @param {Machine} machine
 * @param {string} skill
 */
async function files(machine, skill) {
  const { entries } = await machine.command.json('skill', 'show', skill);
  return entries.map((/** @type {{ path: string }} */ entry) => entry.path).sort();
}

/**
 * Waits until a skill has these files.
 * @param {Machine} machine
 * @param {string} skill
 * @param {string[]} wanted  beside SKILL.md
 */
async function have(machine, skill, wanted) {
  const all = ['SKILL.md', ...wanted].sort();
  let now = /** @type {string[]} */ ([]);
  await until(async () => {
    now = await files(machine, skill);
    return JSON.stringify(now) === JSON.stringify(all);
  }, () => `${skill} to have ${all.join(', ')}; it has ${now.join(', ')}`, { every: 200 });
}

/** @param {string} skill @param {string} [path] */
const at = (skill, path) => `[data-skill="${skill}"]${path === undefined ? '[data-kind="skill"]' : `[data-path="${path}"]`}`;

/** @param {Studio} studio */
const cursor = (studio) => studio.browser.execute(() => {
  const id = document.querySelector('[data-testid="tree"]')?.getAttribute('aria-activedescendant');
  const row = document.getElementById(id ?? '');
  return `${row?.getAttribute('data-skill') ?? ''} ${row?.getAttribute('data-path') ?? ''}`.trim();
});

/**
 * Brings the cursor of the tree to a row, with the arrow keys only.
 * @param {Studio} studio
 * @param {string} wanted  the skill, and with a blank the path
 */
async function go(studio, wanted) {
  await studio.press('Ctrl+Shift+E');
  await studio.focused('tree');
  await studio.press('Home');
  for (let steps = 0; (await cursor(studio)) !== wanted; steps++) {
    assert.ok(steps < 80, `no row ${wanted}`);
    await studio.press('Down');
  }
}

/** @param {Studio} studio @param {string} row */
async function box(studio, row) {
  const found = await studio.one('tree-item', row);
  const { x, y, width, height } = await studio.browser.execute((/** @type {any} */ element) => element.getBoundingClientRect().toJSON(), found);
  return { x: Math.round(x + Math.min(60, width / 2)), y: Math.round(y + height / 2) };
}

/**
 * Drags one row over another; `before` runs while it is held there.
 * @param {Studio} studio
 * @param {string} from
 * @param {string} to
 * @param {(() => Promise<void>)} [before]
 */
async function drag(studio, from, to, before = async () => undefined) {
  const [start, end] = [await box(studio, from), await box(studio, to)];
  await studio.browser.action('pointer').move(start).down().move({ x: start.x + 8, y: start.y + 8 }).move({ ...end, duration: 150 }).perform(true);
  await studio.one('tree-dragged');
  await before();
  await studio.browser.action('pointer').move(end).up().perform();
  await studio.absent('tree-dragged');
}

/** @param {Studio} studio @param {string} row @param {string} [key] */
async function clickWith(studio, row, key) {
  const place = await box(studio, row);
  if (key) await studio.browser.action('key').down(key).perform(true);
  await studio.browser.action('pointer').move(place).down().up().perform();
  if (key) await studio.browser.action('key').up(key).perform();
}
/** The key beside Shift that opens a menu where the cursor is. */
const CTRL = '\uE009';
const SHIFT = '\uE008';

test('by keyboard: renaming, duplicating, cutting, pasting, deleting, undo and redo', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await go(studio, 'news-desk');
  await studio.press('Right');
  await studio.one('tree-item', at('news-desk', 'notes.md'));

  // A name that is taken is said in place, and what was typed stays.
  await go(studio, 'news-desk notes.md');
  await studio.press('F2');
  await studio.focused('rename-field');
  await studio.type('references/style');
  await studio.press('Enter');
  await studio.shows('rename-problem', /the file references\/style\.md already exists/i);
  await studio.press('Escape');
  await studio.absent('rename-field');
  await studio.focused('tree');
  await studio.press('F2');
  await studio.focused('rename-field');
  // Another window takes the keyboard and gives it back: the field is still where it was.
  await studio.browser.execute(() => document.activeElement?.dispatchEvent(new FocusEvent('blur')));
  await studio.type('todo');
  await studio.press('Enter');
  await have(machine, 'news-desk', ['todo.md', 'references/style.md', 'references/names.md', 'data/table.csv']);
  await studio.focused('tree');
  assert.equal(await cursor(studio), 'news-desk todo.md');

  await studio.press('Ctrl+D');
  await studio.one('tree-item', at('news-desk', 'todo-copy.md'));
  await go(studio, 'news-desk references/names.md');
  await studio.press('Ctrl+X');
  await go(studio, 'press-review');
  await studio.press('Ctrl+V');
  await have(machine, 'press-review', ['notes.md', 'names.md']);
  await have(machine, 'news-desk', ['todo.md', 'todo-copy.md', 'references/style.md', 'data/table.csv']);

  // Three rows at once, with a folder among them, and one Undo for all.
  await go(studio, 'news-desk data');
  await studio.press('Shift+Down');
  await studio.press('Shift+Down');
  await until(async () => (await studio.count('[data-testid="tree-item"][aria-selected="true"]')) === 3, 'three chosen rows');
  await studio.press('Delete');
  await studio.shows('toast', /Deleted 2 items/);
  await have(machine, 'news-desk', ['todo.md', 'todo-copy.md']);
  await studio.focused('tree');
  await studio.press('Ctrl+Z');
  await have(machine, 'news-desk', ['todo.md', 'todo-copy.md', 'references/style.md', 'data/table.csv']);
  await studio.press('Ctrl+Z');
  await have(machine, 'press-review', ['notes.md']);
  await have(machine, 'news-desk', ['todo.md', 'todo-copy.md', 'references/style.md', 'references/names.md', 'data/table.csv']);
  await studio.press('Ctrl+Shift+Z');
  await have(machine, 'press-review', ['notes.md', 'names.md']);

  // By name from the palette, which says what it takes back.
  await studio.run('Undo move names.md');
  await have(machine, 'press-review', ['notes.md']);

  // A skill gets a title; its name for programs stays.
  await go(studio, 'press-review');
  await studio.run('Rename in tree');
  await studio.focused('rename-field');
  await studio.press('Ctrl+A');
  await studio.type('Review of the press');
  await studio.press('Enter');
  await until(async () => (await machine.command.json('skill', 'show', 'press-review')).name === 'Review of the press', 'the new title');
  await studio.shows('tree', 'Review of the press');

  // Someone writes meanwhile: what they wrote is not undone, and that is said.
  await go(studio, 'news-desk todo.md');
  await studio.press('Delete');
  await have(machine, 'news-desk', ['todo-copy.md', 'references/style.md', 'references/names.md', 'data/table.csv']);
  await machine.command.write('news-desk', 'todo.md', 'written elsewhere\n');
  await studio.one('tree-item', at('news-desk', 'todo.md'));
  await studio.focused('tree');
  await studio.press('Ctrl+Z');
  await studio.shows('toast', /Couldn’t undo “delete todo.md”: todo.md was changed by a later revision/);
  assert.equal(await machine.command.read('news-desk', 'todo.md'), 'written elsewhere\n');
}));

test('by mouse: dragging into a folder, to another skill, to the workspace; choosing several; menus', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.expand(at('press-review'));
  await studio.expand(at('news-desk'));

  // Given up with Escape, nothing moves.
  await drag(studio, at('news-desk', 'notes.md'), at('news-desk', 'references'), async () => {
    await studio.press('Escape');
    await studio.absent('tree-dragged');
  });
  await have(machine, 'news-desk', ['notes.md', 'references/style.md', 'references/names.md', 'data/table.csv']);

  await drag(studio, at('news-desk', 'notes.md'), at('news-desk', 'references'), async () => {
    await until(async () => (await studio.count('[data-testid="tree-item"].target')) >= 1, 'the folder to be marked');
  });
  await studio.shows('toast', 'Moved notes.md to references');
  await have(machine, 'news-desk', ['references/notes.md', 'references/style.md', 'references/names.md', 'data/table.csv']);

  // With Ctrl a copy, whose name is taken there: asked, and both are kept.
  await studio.browser.action('key').down(CTRL).perform(true);
  await drag(studio, at('news-desk', 'references/notes.md'), at('press-review', 'SKILL.md'), () => studio.shows('tree-dragged', 'Copy'));
  await studio.browser.action('key').up(CTRL).perform();
  await studio.one('existing-files');
  await studio.shows('existing-files', 'notes.md');
  await studio.button('Keep both', '[data-testid="existing-files"]');
  await have(machine, 'press-review', ['notes.md', 'notes-copy.md']);
  await have(machine, 'news-desk', ['references/notes.md', 'references/style.md', 'references/names.md', 'data/table.csv']);

  // What makes a folder a skill stays where it is.
  await drag(studio, at('news-desk', 'SKILL.md'), at('press-review'), () => studio.shows('tree-dragged', 'SKILL.md can’t be moved'));
  await have(machine, 'press-review', ['notes.md', 'notes-copy.md']);

  // A range with Shift goes as one, and comes back as one.
  await clickWith(studio, at('press-review', 'notes-copy.md'));
  await clickWith(studio, at('press-review', 'notes.md'), SHIFT);
  await studio.press('Delete');
  await have(machine, 'press-review', []);
  await studio.clearToasts();
  await studio.press('Ctrl+Z');
  await have(machine, 'press-review', ['notes.md', 'notes-copy.md']);

  // A skill goes to the workspace, and back by Undo.
  await studio.run('Collapse all skills');
  await studio.run('Open sample workspace');
  await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
  // Without trust, nothing goes from a workspace to the account.
  await studio.run('Trust workspace');
  await (await studio.one('trust-yes')).click();
  await studio.absent('status-trust');
  await studio.clearToasts();
  await drag(studio, at('press-review'), '[data-kind="section"][data-scope="workspace"]');
  await studio.one('tree-item', `${at('press-review')}[data-scope="workspace"]`);
  await until(async () => (await studio.count(`[data-testid="tree-item"]${at('press-review')}[data-scope="account"]`)) === 0, 'the skill to be gone from the account');
  await studio.button('Undo', '[data-testid="toast"]');
  await studio.one('tree-item', `${at('press-review')}[data-scope="account"]`);

  // Here and there with Ctrl; the menu is about all of them. It comes last: the driver keeps the right button pressed.
  await studio.clearToasts();
  await clickWith(studio, at('news-desk'));
  await clickWith(studio, at('press-review'), CTRL);
  await (await studio.one('tree-item', at('press-review'))).click({ button: 'right' });
  await studio.shows('menu', 'Delete 2 skills');
  await (await studio.one('menu')).$('button*=Disable 2 skills').click();
  for (const skill of ['news-desk', 'press-review']) {
    await until(async () => (await machine.command.json('skill', 'show', skill)).enabled === false, `${skill} to be off`);
  }
  await studio.shows('toast', 'Disabled 2 skills');
  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await machine.command.json('skill', 'show', 'news-desk')).enabled === true, 'news-desk to be on');
}));

test('what is dropped from the desktop comes into the folder under it, and a skill’s folder is looked at first', onMachine(async (machine) => {
  await desk(machine);
  const place = await machine.place('downloads');
  await writeFile(join(place, 'sources.md'), 'sources\n');
  await mkdir(join(place, 'more', 'deep'), { recursive: true });
  await writeFile(join(place, 'more', 'deep', 'list.txt'), 'list\n');
  await mkdir(join(place, 'fact-check'));
  await writeFile(join(place, 'fact-check', 'SKILL.md'), front('fact-check'));
  const studio = await machine.start();
  await studio.expand(at('news-desk'));

  const drop = async (/** @type {string} */ row, /** @type {string[]} */ paths) => studio.dropFromDesktop(await box(studio, row), paths);
  await drop(at('news-desk', 'references'), [join(place, 'sources.md'), join(place, 'more')]);
  await have(machine, 'news-desk', ['notes.md', 'references/style.md', 'references/names.md', 'data/table.csv', 'references/sources.md', 'references/more/deep/list.txt']);
  await studio.button('Undo', '[data-testid="toast"]');
  await have(machine, 'news-desk', ['notes.md', 'references/style.md', 'references/names.md', 'data/table.csv']);

  await drop(at('news-desk'), [join(place, 'fact-check')]);
  await studio.one('import');
  await studio.shows('import', 'fact-check');
}));

test('pictures of the tree', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.expand(at('news-desk'));
  await studio.open('news-desk', 'references/style.md');
  await studio.edit();
  await studio.type('x');
  await clickWith(studio, at('news-desk', 'references/names.md'));
  await clickWith(studio, at('news-desk', 'data/table.csv'), CTRL);
  await studio.press('Shift+F10');
  await studio.one('menu');
  await studio.pictures('tree-menu');
  await studio.press('Escape');
  await studio.absent('menu');
  await go(studio, 'news-desk notes.md');
  await studio.press('F2');
  await studio.focused('rename-field');
  await studio.type('references/style');
  await studio.press('Enter');
  await studio.one('rename-problem');
  await studio.pictures('tree-rename');
  await studio.press('Escape');
  await drag(studio, at('news-desk', 'notes.md'), at('news-desk', 'references'), async () => {
    await studio.pictures('tree-drag', { pointer: true });
    await studio.press('Escape');
    await studio.absent('tree-dragged');
  });
}));
