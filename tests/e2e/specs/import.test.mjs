import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const RULES = 'references/rules.md';
const NAMES = 'references/names.md';

/** @param {string} folder @param {string} slug @param {Record<string, string>} files */
async function skill(folder, slug, files = {}) {
  const all = { 'SKILL.md': `---\nname: ${slug}\ndescription: Helps the news desk whenever it is about ${slug}.\n---\n\nRead on.\n`, ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(join(folder, slug, path, '..'), { recursive: true });
    await writeFile(join(folder, slug, path), text);
  }
}

/**
 * A folder with a new skill, one that was changed in it since it was imported, and one that was changed here as well.
 * @param {Machine} machine
 */
async function arriving(machine) {
  const folder = await machine.place('desk');
  await skill(folder, 'press-review', { [RULES]: 'Be brief.\n' });
  await skill(folder, 'fact-check', { [RULES]: 'Ask two sources.\n', [NAMES]: 'Ada\n' });
  await machine.command.json('import', folder);
  await skill(folder, 'press-review', { [RULES]: 'Be brief and fair.\n' });
  await skill(folder, 'fact-check', { [RULES]: 'Ask three sources.\n', [NAMES]: 'Ada\nBob\n' });
  await skill(folder, 'desk-notes');
  await machine.command.write('fact-check', RULES, 'Ask one good source.\n');
  return folder;
}

/** @param {Studio} studio */
async function typePath(studio) {
  await studio.run('Import skills');
  await studio.one('import-source');
  await studio.button('Enter a path…', '[data-testid="import-source"]');
  await studio.focused('folder-input');
}

/** @param {Studio} studio @param {string} folder */
async function look(studio, folder) {
  await typePath(studio);
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await studio.press('Enter');
  await studio.one('import-list');
}

/** @param {string} slug @param {string} status */
const item = (slug, status) => `[data-testid="import-item"][data-slug="${slug}"][data-status="${status}"]`;

/** @param {Studio} studio @param {string} side @param {string} wanted */
const shown = (studio, side, wanted) =>
  until(
    async () => (await studio.words(`[data-testid="three-sides"] [data-side="${side}"]`)).includes(wanted),
    async () => `"${wanted}" on the side ${side}, which shows: ${await studio.words('[data-testid="import-sides"]')}`,
  );

/** @param {Studio} studio @param {string} slug */
const take = (studio, slug) => studio.browser.execute((/** @type {string} */ wanted) => /** @type {HTMLSelectElement | null} */ (document.querySelector(`[data-slug="${wanted}"] select`))?.value, slug);

/** @param {Studio} studio */
const cursor = (studio) => studio.browser.execute(() => {
  const id = document.querySelector('[data-testid="import-list"]')?.getAttribute('aria-activedescendant');
  const row = document.getElementById(id ?? '');
  return row?.getAttribute('data-path') ?? row?.getAttribute('data-slug') ?? '';
});

/** Goes down until the cursor is on a row. @param {Studio} studio @param {string} wanted */
async function goTo(studio, wanted) {
  await studio.focused('import-list');
  await studio.press('Home');
  for (let step = 0; step < 12 && (await cursor(studio)) !== wanted; step += 1) {
    await studio.press('Down');
    await studio.window.painted();
  }
  assert.equal(await cursor(studio), wanted);
}

test('by keyboard: a folder is looked at, a conflict is seen on three sides and merged, and the result is ours and theirs', onMachine(async (machine) => {
  const folder = await arriving(machine);
  const studio = await machine.start();
  await look(studio, folder);
  await studio.find(item('desk-notes', 'new'));
  await studio.find(item('press-review', 'update'));
  await studio.find(item('fact-check', 'conflict'));
  await studio.shows('import-apply', 'Import 2 skills');
  assert.equal(await take(studio, 'fact-check'), 'skip', 'a conflict is left alone unless someone says otherwise');

  await goTo(studio, 'fact-check');
  await studio.press('Right');
  await studio.find(`[data-testid="import-file"][data-path="${NAMES}"] [data-by="theirs"]`);
  await studio.find(`[data-testid="import-file"][data-path="${RULES}"] [data-by="conflict"]`);
  await goTo(studio, RULES);
  await studio.press('Enter');
  await studio.one('three-sides');
  await shown(studio, 'ours', 'Ask one good source.');
  await shown(studio, 'theirs', 'Ask three sources.');
  await shown(studio, 'theirs', 'Ask two sources.');
  await studio.button('Theirs', '[data-testid="import-sides"]');
  await studio.find('[data-testid="import-side"] [data-side="theirs"][aria-pressed="true"]');
  await studio.button('Ours', '[data-testid="import-sides"]');
  await studio.find('[data-testid="import-side"] [data-side="ours"][aria-pressed="true"]');

  // Escape goes back to the list, not out of the dialog.
  await studio.press('Escape');
  await studio.absent('import-sides');
  await studio.focused('import-list');
  assert.equal(await cursor(studio), RULES, 'the cursor is where it was');
  assert.equal(await take(studio, 'fact-check'), 'merge');
  await studio.shows('import-apply', 'Import 3 skills');
  await studio.button('Import 3 skills', '[data-testid="import"]');
  await studio.shows('import-summary', '3 imported');
  await studio.button('Done', '[data-testid="import"]');
  await studio.absent('import');

  await studio.one('tree-item', '[data-skill="desk-notes"][data-scope="account"]');
  assert.equal(await machine.command.read('press-review', RULES), 'Be brief and fair.\n');
  assert.equal(await machine.command.read('fact-check', RULES), 'Ask one good source.\n', 'ours stays where both changed it');
  assert.equal(await machine.command.read('fact-check', NAMES), 'Ada\nBob\n', 'theirs comes where only they changed it');

  // Nothing new is in it now, and nothing is stored twice.
  await look(studio, folder);
  await studio.find(item('press-review', 'unchanged'));
  await studio.find(item('desk-notes', 'unchanged'));
  await studio.shows('import-apply', 'Nothing to import');
  await studio.press('Escape');
  await studio.absent('import');
}));

test('what is chosen is stored and nothing else, and what is refused stays in sight', onMachine(async (machine) => {
  const folder = await arriving(machine);
  await mkdir(join(folder, 'half-done'));
  await writeFile(join(folder, 'half-done', 'SKILL.md'), '---\nname: half-done\n');
  const studio = await machine.start();
  await look(studio, folder);
  await studio.button('Select none', '[data-testid="import"]');
  await studio.shows('import-apply', 'Nothing to import');
  await studio.browser.execute(() => /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="import-list"]'))?.focus());
  await goTo(studio, 'desk-notes');
  await studio.press(' ');
  await studio.shows('import-apply', 'Import 1 skill');
  await (await studio.find(`${item('fact-check', 'conflict')} select`)).selectByAttribute('value', 'both');
  await studio.button('Import 2 skills', '[data-testid="import"]');
  await studio.shows('import-summary', '2 imported, 1 skipped, 1 couldn’t be imported');
  await studio.find('[data-testid="import-item"][data-status="refused"]');
  await studio.button('Done', '[data-testid="import"]');
  assert.equal(await machine.command.read('press-review', RULES), 'Be brief.\n');
  assert.equal(await machine.command.read('fact-check', RULES), 'Ask one good source.\n');
  assert.equal(await machine.command.read('fact-check-2', RULES), 'Ask three sources.\n');
}));

test('a package in the home folder is offered while its path is typed', onMachine(async (machine) => {
  const home = join(machine.folder, 'user');
  await machine.command.json('export', 'consistency-checker', '--format', 'skill', '--out', home);
  const studio = await machine.start();
  await typePath(studio);
  await studio.type('~/cons');
  await studio.shows('palette-option', 'Import from consistency-checker.skill');
  await studio.press('Enter');
  await studio.find(item('consistency-checker', 'unchanged'));
  await studio.shows('import-apply', 'Nothing to import');
  await studio.press('Escape');
  await studio.absent('import');
}));

/** @param {string} folder @param {string[]} args */
const git = (folder, ...args) => promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: folder });

test('a skill of a repository is imported, and updated when the repository has a newer version', onMachine(async (machine) => {
  const folder = await machine.place('repository');
  await skill(join(folder, 'skills'), 'press-review', { [RULES]: 'Be brief.\n' });
  for (const args of [['init', '--quiet'], ['add', '.'], ['commit', '--quiet', '--message=one']]) await git(folder, ...args);
  const studio = await machine.start();
  await studio.run('Import skills');
  await studio.one('import-source');
  const address = await studio.find('[data-testid="import-source"] input[name="address"]');
  await address.click();
  await studio.paste(`file://${folder}/missing`);
  await studio.press('Enter');
  await studio.shows('import-source', 'Couldn’t fetch the repository');
  await address.click();
  await studio.press('Ctrl+A');
  await studio.paste(`file://${folder}`);
  await studio.press('Enter');
  await studio.find(item('press-review', 'new'));
  await studio.shows('import', `file://${folder}`);
  await studio.button('Import 1 skill', '[data-testid="import"]');
  await studio.button('Done', '[data-testid="import"]');
  await machine.command.write('press-review', NAMES, 'Ada\n');
  await skill(join(folder, 'skills'), 'press-review', { [RULES]: 'Be brief and fair.\n' });
  await git(folder, 'commit', '--quiet', '--all', '--message=two');
  await studio.open('press-review', 'SKILL.md');
  await studio.run('Update skill from its source');
  await studio.find(item('press-review', 'update'));
  await studio.button('Import 1 skill', '[data-testid="import"]');
  await studio.button('Done', '[data-testid="import"]');
  assert.equal(await machine.command.read('press-review', RULES), 'Be brief and fair.\n');
  assert.equal(await machine.command.read('press-review', NAMES), 'Ada\n');
}));

test('pictures of an import', onMachine(async (machine) => {
  const folder = await arriving(machine);
  await mkdir(join(folder, 'half-done'));
  await writeFile(join(folder, 'half-done', 'SKILL.md'), '---\nname: half-done\n');
  const studio = await machine.start();
  await studio.run('Import skills');
  await studio.one('import-source');
  await studio.pictures('import-source');
  await studio.press('Escape');
  await look(studio, folder);
  await goTo(studio, 'fact-check');
  await studio.press('Right');
  await studio.find(`[data-testid="import-file"][data-path="${RULES}"]`);
  await (await studio.find(`${item('fact-check', 'conflict')} select`)).selectByAttribute('value', 'merge');
  await studio.one('import-side');
  await studio.pictures('import');
  await studio.browser.execute(() => /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="import-list"]'))?.focus());
  await goTo(studio, RULES);
  await studio.press('Enter');
  await shown(studio, 'theirs', 'Ask three sources.');
  await studio.pictures('import-sides');
  await studio.press('Escape');
  await studio.absent('import-sides');
  await studio.button('Import 3 skills', '[data-testid="import"]');
  await studio.one('import-summary');
  await studio.pictures('imported');
  await studio.button('Done', '[data-testid="import"]');
}));
