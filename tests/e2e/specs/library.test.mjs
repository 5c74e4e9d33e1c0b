import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const FRONT = '---\n# Ours.\nname: desk-notes\ndescription: Keeps the notes of the news desk.   # short\nlicense: MIT\n---\n\n# Desk notes\n\nSee [the rules](references/rules.md).\n';

/** @param {Machine} machine */
async function desk(machine) {
  const folder = await machine.place('desk');
  await mkdir(join(folder, 'desk-notes', 'references'), { recursive: true });
  await writeFile(join(folder, 'desk-notes', 'SKILL.md'), FRONT);
  await writeFile(join(folder, 'desk-notes', 'references', 'rules.md'), '# Rules\n\nBe brief.\n');
  for (const name of ['press-review', 'press-archive']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Reads the press, every morning, for ${name}.\n---\n\nRead.\n`);
  }
  await machine.command.json('import', folder);
}

/** @param {Studio} studio */
const cursor = (studio) => studio.browser.execute(() => {
  const id = document.querySelector('[data-testid="library-list"]')?.getAttribute('aria-activedescendant');
  return document.getElementById(id ?? '')?.getAttribute('data-slug') ?? '';
});
/** @param {Studio} studio */
const slugs = (studio) => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="library-skill"]')].map((one) => one.getAttribute('data-slug')));
/** @param {Studio} studio */
const chosen = (studio) => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="library-skill"][aria-selected=true]')].map((one) => one.getAttribute('data-slug')));
/** @param {Studio} studio @param {(string | null)[]} wanted */
const hasChosen = (studio, wanted) => until(async () => JSON.stringify(await chosen(studio)) === JSON.stringify(wanted), async () => `${wanted} to be selected, not ${await chosen(studio)}`);
/** @param {string} slug */
const skill = (slug) => `[data-testid="library-skill"][data-slug="${slug}"]`;
/** @param {Studio} studio @param {string} state */
const saves = (studio, state) => until(async () => (await studio.count(`[data-testid="library-save"][data-state="${state}"]`)) === 1, `the values to be ${state}`);

/** The tab of all skills. */
const ALL = '[data-testid="library"] [role=tab][data-value="all"]';

test('by keyboard: skills are found, gone through, selected, changed together, and all of it is taken back', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.press('Ctrl+Alt+L');
  await studio.focused('library-list');
  await until(async () => /^All\s*8$/.test((await (await studio.find(ALL)).getText()).trim()), 'eight skills');
  // All of them are active: there is nothing else to say.
  await studio.absent('library-stats');
  // Two ways, as the cards stand.
  await studio.press('Home');
  await until(async () => (await cursor(studio)) === 'consistency-checker', 'the cursor on the first card');
  await studio.press('Right');
  await until(async () => (await cursor(studio)) === 'desk-notes', 'the cursor on the second card');
  await studio.press('Down');
  await until(async () => !['consistency-checker', 'desk-notes'].includes(await cursor(studio)), 'the cursor a line below');
  // A title is gone to by typing its beginning.
  await studio.type('press r');
  await until(async () => (await cursor(studio)) === 'press-review', 'the cursor on what was typed');

  await studio.press('Ctrl+F');
  await studio.focused('library-search');
  await studio.type('press morning');
  await until(async () => JSON.stringify(await slugs(studio)) === '["press-archive","press-review"]', async () => `what fits, not ${await slugs(studio)}`);
  await studio.press('Down');
  await studio.focused('library-list');
  await studio.press('Ctrl+a');
  await studio.shows('library-selected', '2 of 2 selected');
  await studio.press('Escape');
  await until(async () => (await studio.count('[data-testid="library-selected"]')) === 0, 'nothing to be selected');
  await studio.press(' ');
  await studio.press('Shift+Right');
  await hasChosen(studio, ['press-archive', 'press-review']);

  await studio.button('Add tag', '[data-testid="library-foot"]');
  await studio.one('library-value');
  await studio.type('media');
  await studio.press('Enter');
  await studio.shows('toast', 'Added the tag “media” to 2 skills');
  assert.deepEqual((await machine.command.json('skill', 'show', 'press-review')).tags, ['media']);
  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await machine.command.json('skill', 'show', 'press-archive')).tags.length === 0, 'the tag to be gone again');

  // Locked skills can be switched, but not tagged; each says so.
  await studio.press('Ctrl+F');
  await studio.press('Escape');
  await until(async () => (await slugs(studio)).length === 8, 'all skills');
  await studio.press('Down');
  await studio.focused('library-list');
  await studio.press('Ctrl+a');
  await studio.shows('library-selected', '8 of 8 selected');
  await studio.button('Set category', '[data-testid="library-foot"]');
  await studio.one('library-value');
  await studio.type('desk');
  await studio.press('Enter');
  await studio.shows('toast', /Set category of 3 skills to “desk”[\s\S]*5 skills not changed: 5 are locked/);
  await studio.button('Show why', '[data-testid="toast"]');
  await studio.shows('library-refused', /Consistency Checker[\s\S]*locked[\s\S]*duplicate/i);
  await studio.press('Escape');
  await studio.absent('library-refused');
  await studio.clearToasts();
  await studio.button('Disable', '[data-testid="library-foot"]');
  await studio.shows('toast', 'Disabled 8 skills');
  await studio.shows('library-stats', /active\s*0/);
  await studio.button('Undo', '[data-testid="toast"]');
  await studio.absent('library-stats');

  // Deleting is undone as well.
  await studio.press('Ctrl+F');
  await studio.type('press');
  await until(async () => (await slugs(studio)).length === 2, 'the two');
  await studio.press('Down');
  await studio.press('Ctrl+a');
  await studio.shows('library-selected', '2 of 2 selected');
  await studio.press('Delete');
  await studio.shows('toast', 'Deleted 2 skills');
  await studio.shows('library-empty', 'No skills match');
  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await slugs(studio)).length === 2, 'the two to be back');
}));

test('by mouse: filters, a page about a skill, values that save themselves, and back to the same place', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await (await studio.one('activity-library')).click();
  await studio.find(skill('desk-notes'));
  await studio.browser.execute(() => {
    for (const label of document.querySelectorAll('[data-testid="library"] [role=tab]')) if (label instanceof HTMLElement && label.dataset.value === 'yours') label.click();
  });
  await until(async () => (await slugs(studio)).length === 3, 'one’s own skills');
  await studio.browser.action('key').down('\uE009').perform(true);
  await (await studio.find(skill('press-review'))).click();
  await studio.browser.releaseActions();
  await hasChosen(studio, ['press-review']);
  await (await studio.find(skill('desk-notes'))).click();
  await studio.one('library-document');
  await studio.shows('library-document', /Desk Notes[\s\S]*See the rules/);

  const description = await studio.find('[data-field="description"]');
  await description.click();
  await studio.press('End');
  await studio.type(' Also the late ones.');
  await saves(studio, 'saved');
  const text = await machine.command.read('desk-notes', 'SKILL.md');
  assert.match(text, /Also the late ones\./);
  assert.ok(text.startsWith('---\n# Ours.\nname: desk-notes\n') && text.includes('license: MIT\n') && text.endsWith('(references/rules.md).\n'), text);
  await studio.button('Undo', '[data-testid="library-save"]');
  await until(async () => !(await machine.command.read('desk-notes', 'SKILL.md')).includes('late ones'), 'the words to be gone again');

  // Someone else writes the same value meanwhile.
  await description.click();
  await studio.press('End');
  await studio.type(' Mine.');
  await machine.command.json('skill', 'set', 'desk-notes', '--description', 'Theirs.');
  await saves(studio, 'conflict');
  await studio.button('Use theirs', '[data-testid="library-save"]');
  await until(async () => (await studio.browser.execute(() => { const field = document.querySelector('[data-field="description"]'); return field instanceof HTMLTextAreaElement ? field.value : ''; })) === 'Theirs.', 'their words');

  await (await studio.one('library-back')).click();
  await studio.absent('library-document');
  await studio.focused('library-list');
  assert.equal((await slugs(studio)).length, 3);
  await until(async () => (await cursor(studio)) === 'desk-notes', 'the cursor where it was');

  // The filter is there again after a restart.
  await studio.window.kill();
  const later = await machine.start();
  await later.press('Ctrl+Alt+L');
  await later.focused('library-list');
  await until(async () => (await slugs(later)).length === 3, 'the filter of before');
}));

test('a skill runs from its page, its runs are listed there, and a locked one is duplicated to be edited', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.press('Ctrl+Alt+L');
  await studio.focused('library-list');
  await studio.type('workspace link');
  await until(async () => (await cursor(studio)) === 'workspace-link-auditor', 'the auditor');
  await studio.press('Enter');
  await studio.one('library-locked');
  await studio.shows('library-artifact', /Ready|Can.t run here/);
  await studio.button('Run', '[data-testid="library-document"] header');
  await studio.one('inspector');
  await studio.shows('inspector', /Workspace Link Auditor|Run/);
  await studio.press('Ctrl+Alt+L');
  await studio.one('library-document');
  await studio.button('Duplicate to edit', '[data-testid="library-document"] header');
  await studio.shows('toast', 'Duplicated Workspace Link Auditor');
  await studio.find('[data-field="name"]');
  await studio.press('Escape');
  await studio.absent('library-document');

  const out = await machine.place('out');
  await studio.press('Ctrl+F');
  await studio.type('desk');
  await until(async () => (await slugs(studio)).length === 1, 'one skill');
  await studio.press('Down');
  await studio.press('Ctrl+a');
  await studio.shows('library-selected', '1 of 1 selected');
  await studio.clearToasts();
  await studio.button('Export', '[data-testid="library-foot"]');
  await studio.button('Enter a path…', '[data-testid="export-skills"]');
  await studio.focused('folder-input');
  await studio.type(out);
  await studio.press('Enter');
  await studio.shows('toast', /Exported desk-notes/);
  assert.equal(await readFile(join(out, 'desk-notes', 'SKILL.md'), 'utf8'), FRONT);
}));

test('the library', onMachine(async (machine) => {
  await desk(machine);
  await machine.command.json('skill', 'disable', 'press-archive');
  await machine.command.json('skill', 'tag', 'media', 'press-review', 'press-archive');
  const studio = await machine.start();
  await studio.press('Ctrl+Alt+L');
  await studio.focused('library-list');
  await studio.find(skill('press-review'));
  await studio.press('Home');
  await studio.press(' ');
  await studio.press('Right');
  await studio.shows('library-selected', '1 of 8 selected');
  await studio.pictures('library-cards');
  await studio.run('Show library as list');
  await studio.pictures('library-list');
  await studio.run('Set category of selected skills');
  await studio.one('library-value');
  await studio.pictures('library-value');
  await studio.type('desk');
  await studio.press('Enter');
  await studio.button('Show why', '[data-testid="toast"]');
  await studio.one('library-refused');
  await studio.pictures('library-refused');
  await studio.press('Escape');
  await studio.absent('library-refused');
  await studio.clearToasts();
  await studio.press('Ctrl+F');
  await studio.type('xyzzy');
  await studio.shows('library-empty', 'No skills match');
  await studio.pictures('library-empty');
  await studio.press('Escape');
  await studio.find(skill('press-review'));
  await (await studio.find(skill('desk-notes'))).click();
  await studio.find('[data-field="description"]');
  await studio.shows('library-document', 'See the rules');
  await studio.pictures('library-document');
  await studio.press('Escape');
  await studio.focused('library-list');
  await studio.press('Home');
  await studio.press('Enter');
  await studio.one('library-locked');
  await studio.shows('library-artifact', /Ready|No model|Can.t run here/);
  await studio.button('Capabilities', '[data-testid="library-document"] nav');
  await studio.pictures('library-locked');
}));

test('instructions are edited on the page of the skill, and saved as a revision', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.press('Ctrl+Alt+L');
  await studio.focused('library-list');
  await studio.type('desk');
  await studio.press('Enter');
  await studio.one('library-document');
  await studio.click(await studio.one('library-edit'));
  await studio.one('inline-editor');
  await until(() => studio.browser.execute(() => document.activeElement?.closest('[data-testid="inline-editor"] .cm-content') !== null), 'the keyboard in the editor');
  await studio.press('Ctrl+End');
  await studio.paste('\nBe brief.\n');
  await studio.one('inline-editor', '[data-state="unsaved"]');
  // What is typed is a draft before it is saved.
  await until(async () => (await machine.command.json('skill', 'show', 'desk-notes')).entries.some((/** @type {{ draft: boolean }} */ one) => one.draft), 'a draft');
  await studio.press('Ctrl+s');
  await studio.one('inline-editor', '[data-state="saved"]');
  await studio.button('Done', '[data-testid="inline-editor"]');
  await studio.absent('inline-editor');
  await studio.shows('library-document', 'Be brief.');
  const before = (await machine.command.json('skill', 'show', 'desk-notes')).revision;

  const box = await studio.find('[data-field="user_invocable"]');
  await studio.click(box);
  await saves(studio, 'saved');
  const shown = await machine.command.json('skill', 'show', 'desk-notes');
  assert.deepEqual([shown.user_invocable, shown.revision], [false, before + 1]);
}));

/** @param {Studio} studio */
const referenced = (studio) => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="reference"]')].map((one) => one.getAttribute('data-target')));
/** @param {Studio} studio @param {string[]} wanted */
const references = (studio, wanted) => until(async () => JSON.stringify(await referenced(studio)) === JSON.stringify(wanted), async () => `${wanted} as references, not ${await referenced(studio)}`);

/** A folder with a page and two files. @param {Machine} machine */
async function notes(machine) {
  const folder = await machine.place('notes');
  await mkdir(join(folder, 'people'));
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'people', 'mara.md'), '---\ntitle: Mara Venn\n---\nKeeps the lighthouse.\n');
  await writeFile(join(folder, 'data', 'costs.csv'), 'year,cost\n2026,12\n');
  await writeFile(join(folder, 'data', 'map.bin'), Buffer.from([0, 1, 2, 3]));
  return folder;
}

/** Opens the page of a skill at its references. @param {Studio} studio @param {string} folder */
async function atReferences(studio, folder) {
  await studio.run('Open folder');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await studio.press('Enter');
  await studio.shows('status-workspace', 'notes');
  await studio.press('Ctrl+Alt+L');
  await studio.focused('library-list');
  await studio.type('desk');
  await until(async () => (await cursor(studio)) === 'desk-notes', 'the skill');
  await studio.press('Enter');
  await studio.one('library-document');
  await studio.button('References', '[data-testid="library-document"] nav');
  // It stays the current one, also where the page can't be scrolled to its heading.
  await until(async () => (await studio.words('[data-testid="library-document"] nav [aria-current]')) === 'References', 'the section that was gone to');
}

/** @param {Studio} studio @param {string} words */
async function attach(studio, words) {
  await studio.click(await studio.one('reference-attach'));
  await studio.choose(words);
  await studio.absent('reference-palette');
  // In a small window the message lies over the button.
  await studio.shows('toast', 'Attached');
  await studio.clearToasts();
}

test('references are attached, opened, removed and brought back, and tell when they are missing', onMachine(async (machine) => {
  await desk(machine);
  const folder = await notes(machine);
  const studio = await machine.start();
  await atReferences(studio, folder);
  await studio.shows('references-empty', 'No references');
  await attach(studio, 'Mara Venn');
  await attach(studio, 'costs.csv');
  await attach(studio, 'https://example.org/style');
  const all = ['people/mara', 'data/costs.csv', 'https://example.org/style'];
  await references(studio, all);
  const stored = await machine.command.in(folder).json('reference', 'list', 'desk-notes');
  assert.deepEqual(stored.references.map((/** @type {{ target_ref: string }} */ one) => one.target_ref), all);

  // By keyboard alone: down to the file, shown and closed, removed, and undone.
  await studio.browser.execute(() => { const row = document.querySelector('[data-testid="reference"] .open'); if (row instanceof HTMLElement) row.focus(); });
  await studio.press('Down');
  await studio.press('Enter');
  await studio.shows('reference-file', /data\/costs\.csv[\s\S]*2026,12/);
  await studio.press('Escape');
  await studio.absent('reference-file');
  await studio.clearToasts();
  await studio.press('Delete');
  await references(studio, ['people/mara', 'https://example.org/style']);
  await studio.button('Undo', '[data-testid="toast"]');
  await references(studio, all);

  // The file goes, and another program attaches one.
  await rm(join(folder, 'data', 'costs.csv'));
  await machine.command.in(folder).json('reference', 'attach', 'desk-notes', 'data/map.bin');
  await references(studio, [...all, 'data/map.bin']);
  await studio.shows('reference', /costs\.csv[\s\S]*not found in this workspace/);
  await studio.click(await studio.one('reference', '[data-target="data/map.bin"] .open'));
  await studio.shows('reference-file', 'isn’t text');
  await studio.press('Escape');

  await studio.click(await studio.one('reference', '[data-target="https://example.org/style"] .open'));
  await studio.shows('address', 'https://example.org/style');
  await studio.button('Copy', '[data-testid="address"]');
  await studio.shows('toast', 'Copied the address');
  await studio.click(await studio.one('reference', '[data-target="https://example.org/style"] .open'));
  await studio.button('Open', '[data-testid="address"]');
  await until(async () => (await readFile(join(machine.folder, 'opened'), 'utf8').catch(() => '')) === 'https://example.org/style\n', 'the address in the browser');
  await studio.click(await studio.one('reference', '[data-target="people/mara"] .open'));
  await studio.shows('page', 'Keeps the lighthouse');
}));

test('references', onMachine(async (machine) => {
  await desk(machine);
  const folder = await notes(machine);
  await writeFile(join(folder, 'data', 'a very long name of a file that nobody could read in a narrow window.csv'), 'a\n');
  const studio = await machine.start();
  await atReferences(studio, folder);
  await studio.shows('references-empty', 'No references');
  await studio.pictures('library-references-empty');
  await attach(studio, 'Mara Venn');
  await attach(studio, 'a very long name');
  await attach(studio, 'https://example.org/style-guide/of/the/desk?edition=2026&language=en');
  await machine.command.in(folder).json('reference', 'attach', 'desk-notes', 'data/gone.csv', '--allow-missing');
  await studio.shows('reference', /not found in this workspace/);
  await studio.button('References', '[data-testid="library-document"] nav');
  await studio.pictures('library-references');
  await studio.click(await studio.one('reference-attach'));
  await studio.one('palette-option');
  await studio.pictures('library-reference-palette');
  await studio.press('Escape');
  await studio.absent('reference-palette');
  await studio.click(await studio.one('reference', '[data-target^="data/a very"] .open'));
  await studio.one('reference-file');
  await studio.pictures('library-reference-file');
}));
