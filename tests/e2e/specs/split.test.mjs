import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const GUIDE = '# Guide\n\nFirst words.\n\n## Sources\n\nWhere it is from.\n\n## Checks\n\nWhat is looked at.\n';
// Four dots on nothing, 120 by 80.
const PIXELS = 'iVBORw0KGgoAAAANSUhEUgAAAHgAAABQBAMAAAAgtay6AAAAD1BMVEUAAAAlY+sWo0rcJibZdwZ3qg7QAAAAAXRSTlMAQObYZgAAASRJREFUeNrtltsNgzAMRU3LAGUDlAkisQAf7D9Tyzs2thMnUluk3M+qR+fKIQ+Ampqv5ZXyJ8/92HRzYujwiRfYGD0MLL2xnVr9ucKDINbVG0vVB6updzFRn2JNfbBYHbCKugQ+W6PeYWu5903hgA0nVmRGLB53n13bLemzYOcQbYKdIzT/hbGwc5ROhx8h7LRdxQwbsUTtIzAWEzVE9jNhkdpD5CThYf70bNRxHb2Fc5uIZVg+89lFxh8pxG8MI4zuqmtrvTdKhY0ww0bXqk77JzAUrFQhLJ4kYz48fTLaey+t2xmeMuGFTVBzN8YqtqsDsV0NNpi5nw3w9WVggembZJ9XysQuryGbmbzD7DD8Bdxa5iWoxzy4LRAn72cpBWjNTfMG0Py2W7Kno2QAAAAASUVORK5CYII=';
const TABLE = `id,name,score\n${Array.from({ length: 5_000 }, (_, at) => `${at},"Row, ${at}",${at % 9}`).join('\n')}\nlast,row\n`;

/** A skill with files of every sort. @param {Machine} machine */
async function desk(machine) {
  const place = join(await machine.place('import'), 'news-desk');
  /** @type {Record<string, string | Buffer>} */
  const files = {
    'SKILL.md': '---\nname: news-desk\ndescription: Weighs what a news desk hears, and says where it is from.\n---\n\n# News desk\n\nRead the guide.\n',
    'references/guide.md': GUIDE,
    'references/other.md': '# Other\n\nAnother text.\n',
    'assets/dots.png': Buffer.from(PIXELS, 'base64'),
    'assets/shape.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>window.broken = true</script><rect width="40" height="20"/></svg>\n',
    'assets/scores.csv': TABLE,
    'assets/long.txt': 'A line of many that nobody types in.\n'.repeat(70_000),
    'assets/state.bin': Buffer.from([0, 1, 2, 255, 0x41, 0x42, 0]),
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(place, path, '..'), { recursive: true });
    await writeFile(join(place, path), content);
  }
  await machine.command.json('import', join(place, '..'));
}

/** Opens a file as a tab that stays. @param {Studio} studio @param {string} path */
async function keep(studio, path) {
  await studio.openTab('news-desk', path);
  const tab = await studio.one('tab', `[data-path="${path}"][aria-selected="true"]`);
  if ((await tab.getAttribute('data-preview')) === 'true') await tab.doubleClick();
  await studio.one('tab', `[data-path="${path}"][data-preview="false"]`);
}

/** What each group shows, its tabs, and which of them has the keyboard. @param {Studio} studio */
const groups = (studio) => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="group"]')].map((group) => ({
  tabs: [...group.querySelectorAll('[data-testid="tab"]')].map((tab) => tab.getAttribute('data-path') ?? ''),
  shown: group.querySelector('[data-testid="tab"][aria-selected="true"]')?.getAttribute('data-path') ?? '',
  active: group.getAttribute('data-active') === 'true',
  text: [...group.querySelectorAll('[data-testid="editor"] .cm-line')].map((line) => line.textContent).join('\n'),
  box: group.getBoundingClientRect().toJSON(),
})));

/**
 * Waits until the groups have these tabs.
 * @param {Studio} studio
 * @param {string[][]} wanted
 */
async function have(studio, wanted) {
  const now = async () => (await groups(studio)).map(({ tabs }) => tabs.map((path) => path.replace(/^.*\//, '')));
  await until(async () => JSON.stringify(await now()) === JSON.stringify(wanted), async () => `${JSON.stringify(wanted)}, there are ${JSON.stringify(await now())}`);
}

/**
 * Waits for the keyboard to be in the editor of a group.
 * @param {Studio} studio
 * @param {number} index
 */
async function typing(studio, index) {
  await until(
    () => studio.browser.execute((at) => document.querySelectorAll('[data-testid="group"]')[at]?.querySelector('.cm-content') === document.activeElement, index),
    `the keyboard in editor ${index + 1}`,
  );
}

/**
 * Drags from one element to a place.
 * @param {Studio} studio
 * @param {any} from
 * @param {{ x: number, y: number }} to
 * @param {() => Promise<unknown>} [before]  looked at while it is held
 */
async function drag(studio, from, to, before = async () => undefined) {
  const box = await studio.browser.execute((/** @type {any} */ element) => element.getBoundingClientRect().toJSON(), from);
  const [x, y] = [Math.round(box.x + 20), Math.round(box.y + box.height / 2)];
  await studio.browser.action('pointer').move({ x, y }).down().move({ x: x + 12, y: y + 12 }).move({ x: Math.round(to.x), y: Math.round(to.y), duration: 120 }).perform(true);
  await before();
  await studio.browser.action('pointer').move({ x: Math.round(to.x), y: Math.round(to.y) }).up().perform();
}

test('a file in two editors side by side is one text with one undo', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.open('news-desk', 'references/guide.md');
  await studio.edit();
  await studio.press('Ctrl+\\');
  await have(studio, [['guide.md'], ['guide.md']]);
  await typing(studio, 1);
  const [left, right] = await groups(studio);
  assert.ok(left.box.right <= right.box.left + 1, 'they are side by side');

  await studio.press('Ctrl+Home');
  await studio.type('Right ');
  await studio.press('Ctrl+1');
  await typing(studio, 0);
  await studio.press('Ctrl+End');
  await studio.type('left.');
  const both = async (/** @type {RegExp} */ wanted) => until(async () => (await groups(studio)).every(({ text }) => wanted.test(text)), async () => `${wanted} in both: ${JSON.stringify((await groups(studio)).map(({ text }) => text))}`);
  await both(/^Right # Guide[\s\S]*left\.$/);

  // What was typed last goes first, wherever it was typed.
  await studio.press('Ctrl+2');
  await typing(studio, 1);
  await studio.press('Ctrl+Z');
  await both(/^Right # Guide[\s\S]*looked at\.\n?$/);
  await studio.press('Ctrl+1');
  await typing(studio, 0);
  await studio.press('Ctrl+Z');
  await both(/^# Guide/);
  await studio.press('Ctrl+Shift+Z');
  await both(/^Right # Guide/);
  await studio.press('Ctrl+S');
  await until(async () => (await studio.count('[data-testid="tab"][data-unsaved="true"]')) === 0, 'both tabs to be saved');
  assert.match(await machine.command.read('news-desk', 'references/guide.md'), /^Right # Guide/);
}));

test('tabs are moved, dragged, closed and opened again, and come back after a kill', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  for (const path of ['SKILL.md', 'references/guide.md', 'references/other.md']) await keep(studio, path);
  await studio.edit();
  await studio.press('Ctrl+Alt+Right');
  await have(studio, [['SKILL.md', 'guide.md'], ['other.md']]);
  await studio.run('Split editor down');
  await have(studio, [['SKILL.md', 'guide.md'], ['other.md'], ['other.md']]);
  const [, upper, lower] = await groups(studio);
  assert.ok(upper.box.bottom <= lower.box.top + 1 && Math.abs(upper.box.left - lower.box.left) < 1, 'one below the other');
  assert.equal(await studio.count('[data-testid="split"]'), 0, 'three are the most');

  // Within a group, and to another one.
  const first = await studio.find('[data-testid="tab"][data-path="SKILL.md"]');
  const guide = await studio.find('[data-testid="tab"][data-path="references/guide.md"]');
  const behind = await studio.browser.execute((/** @type {any} */ tab) => tab.getBoundingClientRect().toJSON(), guide);
  await drag(studio, first, { x: behind.right - 6, y: behind.y + 10 });
  await have(studio, [['guide.md', 'SKILL.md'], ['other.md'], ['other.md']]);
  const target = (await groups(studio))[2].box;
  await drag(studio, await studio.find('[data-testid="tab"][data-path="SKILL.md"]'), { x: target.left + target.width / 2, y: target.top + target.height / 2 + 10 }, () => studio.one('drop-center'));
  await have(studio, [['guide.md'], ['other.md'], ['other.md', 'SKILL.md']]);

  // Escape lets a dragged tab where it was.
  const upperNow = (await groups(studio))[1].box;
  await drag(studio, await studio.find('[data-testid="tab"][data-path="SKILL.md"]'), { x: upperNow.left + 80, y: upperNow.top + 80 }, async () => {
    await studio.one('dragged-tab');
    await studio.press('Escape');
    await studio.absent('dragged-tab');
  });
  await have(studio, [['guide.md'], ['other.md'], ['other.md', 'SKILL.md']]);

  // The middle button closes; what was closed last comes back where it was.
  // The driver lets go of another button than it pressed, so the click is made in the page.
  await studio.browser.execute(() => {
    const tab = document.querySelectorAll('[data-testid="group"]')[2]?.querySelector('[data-testid="tab"][data-path="references/other.md"]');
    tab?.dispatchEvent(new PointerEvent('auxclick', { button: 1, bubbles: true }));
  });
  await have(studio, [['guide.md'], ['other.md'], ['SKILL.md']]);
  await studio.press('Ctrl+Shift+T');
  await have(studio, [['guide.md'], ['other.md'], ['other.md', 'SKILL.md']]);

  // An empty editor goes.
  await studio.press('Ctrl+2');
  await typing(studio, 1);
  await studio.press('Ctrl+W');
  await have(studio, [['guide.md'], ['other.md', 'SKILL.md']]);
  await studio.press('Ctrl+1');
  await typing(studio, 0);
  await studio.press('Ctrl+End');
  await studio.type('Unsaved.');
  await until(async () => (await studio.count('[data-testid="save-state"][data-draft="kept"]')) === 1, 'the draft to be kept');
  const before = await groups(studio);
  await until(
    async () => JSON.stringify(await machine.command.json('settings', 'list')).includes('references/guide.md'),
    'the tabs to be kept',
  );
  await studio.window.kill();

  const again = await machine.start();
  await have(again, [['guide.md'], ['other.md', 'SKILL.md']]);
  const after = await groups(again);
  assert.deepEqual(after.map(({ shown, active }) => [shown, active]), before.map(({ shown, active }) => [shown, active]));
  await until(async () => /Unsaved\.$/.test((await groups(again))[0].text), 'the draft');
  await again.press('Ctrl+1');
  await typing(again, 0);
  await until(async () => (await again.words('footer, [data-testid="status-bar"]')).includes('Ln 12'), 'the cursor where it was');
}));

test('the path above a text leads to what is beside each part', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.open('news-desk', 'references/guide.md');
  await studio.edit();
  await studio.press('Ctrl+End');
  const path = async () => (await studio.allWords('[data-testid="crumb"]')).map((words) => words.trim()).join(' > ');
  await until(async () => (await path()) === 'Account > News Desk > references > guide.md > Checks', async () => `the path, which is ${await path()}`);

  // By keyboard: the outline, narrowed by typing.
  await studio.press('Ctrl+Shift+.');
  await studio.focused('breadcrumbs');
  await studio.press('Down');
  await studio.focused('pick-list');
  await studio.type('sour');
  await until(async () => (await studio.allWords('[data-testid="pick-option"]')).length === 1, 'one heading');
  await studio.press('Enter');
  await studio.focused('editor');
  await until(async () => (await studio.words('[data-crumb="symbol"]')).trim() === 'Sources', 'the heading in the path');

  // Escape closes the list, then leaves the path.
  await studio.press('Ctrl+Shift+.');
  await studio.press('Down');
  await studio.focused('pick-list');
  await studio.press('Escape');
  await studio.absent('pick-list');
  await studio.focused('breadcrumbs');
  await studio.press('Escape');
  await studio.focused('editor');

  // By pointer: another file of the folder, then into a folder.
  await (await studio.find('[data-crumb="file:references/guide.md"]')).click();
  await studio.focused('pick-list');
  const option = async (/** @type {string} */ words) => {
    const at = async () => (await studio.allWords('[data-testid="pick-option"]')).findIndex((one) => one.trim().startsWith(words));
    await until(async () => (await at()) >= 0, `the choice ${words}`);
    await studio.browser.$$('[data-testid="pick-option"]')[await at()].click();
  };
  await option('other.md');
  await studio.one('editor', '[data-path="references/other.md"]');
  await (await studio.find('[data-crumb="skill"]')).click();
  await studio.focused('pick-list');
  await studio.type('news');
  await studio.press('Enter');
  await option('assets');
  await option('scores.csv');
  await studio.one('tab', '[data-path="assets/scores.csv"][aria-selected="true"]');

  // And back again.
  await studio.press('Alt+Left');
  await studio.one('editor', '[data-path="references/other.md"]');
  await studio.press('Alt+Left');
  await studio.one('editor', '[data-path="references/guide.md"]');
  await until(async () => (await studio.words('[data-crumb="symbol"]')).trim() === 'Sources', 'the place in the file');
  await studio.press('Alt+Right');
  await studio.one('editor', '[data-path="references/other.md"]');

  // Ctrl+Tab goes by last use.
  await studio.press('Ctrl+Tab');
  await studio.one('editor', '[data-path="references/guide.md"]');
  await studio.press('Ctrl+Tab');
  await studio.one('editor', '[data-path="references/other.md"]');
}));

test('pictures, tables and other files are shown as what they are', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.openTab('news-desk', 'assets/dots.png');
  const image = await studio.one('image', '[data-width="120"][data-height="80"]');
  assert.match(await image.getText(), /120 × 80 px/);
  await (await studio.find('[data-testid="image"] [role="region"]')).click();
  await studio.type('+');
  await studio.one('image', '[data-zoom="125"]');
  await studio.press('0');
  await studio.one('image', '[data-zoom="100"]');

  await studio.openTab('news-desk', 'assets/shape.svg');
  await studio.one('image', '[data-width="40"]');
  assert.equal(await studio.browser.execute(() => 'broken' in window), false, 'no script of a picture runs');
  await studio.button('Text');
  await studio.one('editor', '[data-path="assets/shape.svg"]');

  await studio.openTab('news-desk', 'assets/scores.csv');
  await studio.one('table', '[data-done="true"][data-rows="5001"]');
  assert.ok((await studio.count('[data-testid="table-row"]')) < 100, 'only what is on the screen is there');
  await (await studio.find('[data-testid="table"] [role="gridcell"]')).click();
  await studio.press('Right');
  await studio.press('Ctrl+C');
  await studio.shows('toast', 'Copied the cell');
  await studio.press('Ctrl+End');
  await until(async () => (await studio.allWords('[data-testid="table-row"]')).some((row) => row.includes('last')), 'the last row');
  // By the name of a column, and by keyboard: to the other end, and back to the order of the file.
  await (await studio.find('[data-testid="table"] [role="columnheader"][aria-colindex="3"] .label')).click();
  await studio.find('[role="columnheader"][aria-colindex="3"][aria-sort="ascending"]');
  const scores = () => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="table-row"] [role="gridcell"][aria-colindex="3"]')].slice(0, 5).map((cell) => cell.textContent));
  await until(async () => (await scores()).every((score) => score === '0'), async () => `the lowest scores first, not ${await scores()}`);
  await (await studio.find('[data-testid="table"] [role="gridcell"][aria-colindex="3"]')).click();
  await studio.press('Shift+Enter');
  await until(async () => (await scores()).every((score) => score === '8'), async () => `the highest scores first, not ${await scores()}`);
  await studio.shows('table', 'sorted by score, descending');
  const width = () => studio.browser.execute(() => document.querySelector('[role="columnheader"][aria-colindex="3"]')?.getBoundingClientRect().width ?? 0);
  const before = await width();
  await studio.press('Alt+Right');
  await until(async () => (await width()) === before + 16, 'a wider column');
  await studio.press('Shift+Enter');
  await until(async () => (await scores()).join() === '0,1,2,3,4', async () => `the order of the file, not ${await scores()}`);
  await (await studio.one('ragged')).click();
  await studio.one('editor', '[data-path="assets/scores.csv"]');
  await until(async () => (await studio.text()).includes('last,row'), 'the line of the short row');

  await studio.openTab('news-desk', 'assets/state.bin');
  await studio.shows('binary', /7 bytes/);
  await studio.shows('hex', /00000000\s+00 01 02 ff 41 42 00\s+\.\.\.\.AB\./);

  await studio.open('news-desk', 'assets/long.txt');
  await studio.shows('large', /2\.5 MiB/);
  await studio.one('editor', '[data-readonly="true"]');
  await studio.button('Edit anyway');
  await studio.one('editor', '[data-readonly="false"]');

  // From the tree to the side.
  const row = await studio.one('tree-item', '[data-skill="news-desk"][data-path="SKILL.md"]');
  await row.click({ button: 'right' });
  await studio.button('Open to the side', '[data-testid="menu"]');
  await until(async () => (await groups(studio)).length === 2, 'a second editor');
  await studio.press('Ctrl+W');
  await until(async () => (await groups(studio)).length === 1, 'one editor again');

  // Code isn't wrapped, prose is, until someone says otherwise; that is kept.
  await studio.open('news-desk', 'references/guide.md');
  const wrapped = () => studio.count('[data-testid="editor"] .cm-lineWrapping');
  await until(async () => (await wrapped()) === 1, 'prose to be wrapped');
  await studio.edit();
  await studio.press('Alt+Z');
  await until(async () => (await wrapped()) === 0, 'the lines to go on');
}));

test('pictures of editors side by side', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await keep(studio, 'SKILL.md');
  await keep(studio, 'assets/scores.csv');
  await studio.one('table', '[data-done="true"]');
  await studio.press('Ctrl+Alt+Right');
  await have(studio, [['SKILL.md'], ['scores.csv']]);
  await studio.pictures('table');
  await keep(studio, 'references/guide.md');
  await studio.press('Ctrl+Shift+\\');
  await have(studio, [['SKILL.md'], ['scores.csv', 'guide.md'], ['guide.md']]);
  await studio.pictures('editors');
  await studio.press('Ctrl+Shift+.');
  await studio.press('Down');
  await studio.one('pick-list');
  await studio.pictures('path');
  await studio.press('Escape');
  await studio.openTab('news-desk', 'assets/dots.png');
  await studio.one('image', '[data-width]');
  await studio.pictures('image');
  await studio.openTab('news-desk', 'assets/state.bin');
  await studio.one('hex');
  await studio.pictures('binary');
}));
