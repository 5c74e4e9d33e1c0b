import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const F4 = '\uE034';
const NOTES = 'Notes of the desk.\n\n– All evidence 🗼 needs a source; evidence without one is left open.\n';
const CHECK = '{# one at a time #}\nRead the evidence below and say whether it holds.\n\n{{ text }}\n';

/**
 * Folders of skills, with other files beside SKILL.md.
 * @param {string} folder
 * @param {string} name
 * @param {Record<string, string>} [files]
 * @param {string} [body]
 */
async function skill(folder, name, files = {}, body = '') {
  const place = join(folder, name);
  const all = { 'SKILL.md': `---\nname: ${name}\ndescription: ${name.replace(/-/g, ' ')} that someone wrote for the work of a news desk.\n---\n${body}`, ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(join(place, path, '..'), { recursive: true });
    await writeFile(join(place, path), text);
  }
}

/** @param {Machine} machine */
async function desk(machine) {
  const folder = await machine.place('desk');
  await skill(folder, 'fact-desk', { 'notes.md': NOTES, 'prompts/check.j2': CHECK }, '\nWeighs evidence against evidence.\n');
  await skill(folder, 'press-review', {}, '\nMarks all evidence that a press release has.\n');
  await machine.command.json('import', folder);
}

/** @param {string} more */
const row = (more) => `[data-testid="search-row"]${more}`;
const inDesk = '[data-skill="fact-desk"]';
/** @param {Studio} studio */
const summary = (studio) => studio.words('[data-testid="search-summary"]');
/** @param {Studio} studio */
const cursor = (studio) => studio.browser.execute(() => {
  const id = document.querySelector('[data-testid="search-tree"]')?.getAttribute('aria-activedescendant');
  return document.getElementById(id ?? '')?.getAttribute('aria-label') ?? '';
});
/** @param {Studio} studio */
const selected = (studio) => studio.browser.execute(() => document.getSelection()?.toString() ?? '');

/**
 * Goes down the list until the cursor is on a row whose name fits.
 * @param {Studio} studio
 * @param {RegExp} name
 */
async function goDown(studio, name) {
  await studio.focused('search-tree');
  await studio.press('Home');
  for (let steps = 0; !name.test(await cursor(studio)); steps++) {
    assert.ok(steps < 60, `${name} is not in the list, which ends at ${await cursor(studio)}`);
    const before = await cursor(studio);
    await studio.press('Down');
    await until(async () => (await cursor(studio)) !== before, 'the cursor to move');
  }
}

test('by keyboard: a text is found, opened at its place, replaced but for one match, and put back', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.press('Ctrl+Shift+F');
  await studio.focused('search-text');
  await studio.type('evidence');
  await studio.shows('search-summary', /\d+ matches in \d+ files/);
  await studio.press('Down');
  await goDown(studio, /^Line 3, column 7: – All evidence 🗼/);
  await studio.press('Enter');
  await studio.one('editor', '[data-path="notes.md"]');
  await studio.focused('editor');
  await until(async () => (await selected(studio)) === 'evidence', 'the match to be selected');
  await studio.shows('status-bar', /Ln 3, Col 15/);
  // Columns are characters: the next one stands after one that takes two places in memory.
  await studio.press(F4);
  await studio.shows('status-bar', /Ln 3, Col 42/);
  assert.equal(await selected(studio), 'evidence');
  await studio.press(`Shift+${F4}`);
  await studio.shows('status-bar', /Ln 3, Col 15/);

  // What is selected is looked for.
  await studio.press('Ctrl+Shift+H');
  await studio.focused('search-replacement');
  assert.equal(await studio.browser.execute(() => document.querySelector('[data-testid="search-text"]')?.getAttribute('aria-label')), 'Search');
  await studio.type('proof');
  await studio.find(row(`${inDesk} ins`));
  await studio.press('Down');
  await goDown(studio, /^Line 3, column 34: /);
  const before = await summary(studio);
  await studio.press(' ');
  await until(async () => /^\d+ of \d+ matches will be replaced/.test(await summary(studio)) && (await summary(studio)) !== before, async () => `another summary than ${before}`);
  assert.match(await cursor(studio), /excluded$/);

  await studio.press('Ctrl+Alt+Enter');
  await studio.one('replace-dialog');
  await studio.shows('replace-dialog', /Replace \d+ matches of evidence in 4 files of 2 skills with proof\?/);
  await studio.shows('replace-locked', /locked skills? skipped[\s\S]*Consistency Checker/);
  await studio.focused('replace-yes');
  // The web view would draw the bars of what lies behind through the dialog.
  assert.equal(await studio.browser.execute(() => [...document.querySelectorAll('body *')].filter((one) => !one.closest('dialog') && one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY)).length), 0);
  await studio.press('Enter');
  await studio.shows('toast', /Replaced \d+ matches in 2 skills/);
  await studio.absent('replace-dialog');
  await studio.shows('skipped-skill', /Consistency Checker[\s\S]*Locked\./);
  assert.match(await machine.command.read('fact-desk', 'notes.md'), /All proof 🗼 needs a source; evidence without/);
  assert.match(await machine.command.read('fact-desk', 'prompts/check.j2'), /Read the proof below/);
  assert.match(await machine.command.read('press-review', 'SKILL.md'), /all proof that/);
  assert.doesNotMatch(await machine.command.read('consistency-checker', 'SKILL.md'), /proof/);
  // The open file has it too, and what was left out still is.
  await until(async () => (await studio.text()).includes('All proof'), 'the editor to follow');
  assert.equal(await machine.command.revision('fact-desk'), 2);

  await studio.button('Undo', '[data-testid="toast"]');
  await studio.shows('toast', 'Undid the replacement in 2 skills');
  assert.equal(await machine.command.read('fact-desk', 'notes.md'), NOTES);
  assert.equal(await machine.command.revision('fact-desk'), 3);
  await until(async () => (await studio.text()).includes('All evidence'), 'the editor to follow');
}));

test('by mouse: narrowed down, with a file left out, and what was changed since is not put back', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await (await studio.one('activity-search')).click();
  await studio.focused('search-text');
  await studio.type('EVIDENCE');
  await studio.shows('search-summary', 'matches in');
  await (await studio.find('[data-switch="case"]')).click();
  await studio.shows('search-summary', 'No matches');
  await (await studio.find('[data-switch="case"]')).click();
  await (await studio.one('search-narrow')).click();
  await (await studio.one('search-path')).click();
  await studio.type('.md');
  await until(async () => (await studio.count(row('[data-path="prompts/check.j2"]'))) === 0, 'only markdown');

  await (await studio.find(row(`${inDesk}[data-kind="match"][data-line="3"]`))).click();
  await studio.one('tab', '[data-path="notes.md"][aria-selected="true"]');
  await studio.shows('status-bar', /Ln 3, Col 15/);
  await studio.find('[data-testid="editor"] .cm-selectionBackground');
  await studio.focused('search-tree');

  await (await studio.one('search-replacing')).click();
  await studio.focused('search-replacement');
  await studio.type('thesis');
  const file = await studio.find(row(`${inDesk}[data-kind="file"][data-path="notes.md"]`));
  await file.moveTo();
  await studio.button('Exclude', row(`${inDesk}[data-kind="file"][data-path="notes.md"]`));
  await studio.find(row(`${inDesk}[data-path="notes.md"][data-out="all"] ~ ${row('[data-out="all"]')}`));
  await studio.button('Replace all');
  await studio.shows('replace-dialog', /3 matches of EVIDENCE in 2 files of 2 skills[\s\S]*excluded/);
  await (await studio.one('replace-yes')).click();
  await studio.shows('toast', 'Replaced 3 matches in 2 skills');
  assert.equal(await machine.command.read('fact-desk', 'notes.md'), NOTES);
  assert.match(await machine.command.read('fact-desk', 'SKILL.md'), /thesis against thesis/);

  await machine.command.write('press-review', 'SKILL.md', '---\nname: press-review\ndescription: press review that someone wrote for the work of a news desk.\n---\nMine.\n');
  await studio.button('Undo', '[data-testid="toast"]');
  await studio.shows('toast', /Undid the replacement in 1 skill, failed in 1[\s\S]*press review: changed since/i);
  assert.match(await machine.command.read('fact-desk', 'SKILL.md'), /evidence against evidence/);
  assert.match(await machine.command.read('press-review', 'SKILL.md'), /Mine\./);
}));

test('of very many matches the first are listed, and their end is reached with a key', onMachine(async (machine) => {
  const folder = await machine.place('desk');
  await skill(folder, 'long-list', { 'list.md': Array.from({ length: 2_400 }, (_, line) => `Entry ${line + 1} of the ledger.\n`).join('') });
  await machine.command.json('import', folder);
  const studio = await machine.start();
  await studio.press('Ctrl+Shift+F');
  await studio.focused('search-text');
  await studio.type('ledger');
  await studio.shows('search-summary', '2,000 matches in 1 file');
  await studio.shows('search-more', 'Refine the search');
  await studio.press('Down');
  await studio.focused('search-tree');
  await studio.press('End');
  await studio.find(row('[data-line="2000"]'));
  assert.ok((await studio.count(row(''))) < 80, 'only what is in sight is there');
  await studio.press('Enter');
  await studio.shows('status-bar', /Ln 2000, Col/);
}));

test('an expression that is none is said under the field, and the matches stay', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.run('Search in all skills');
  await studio.focused('search-text');
  await studio.press('Alt+R');
  await studio.find('[data-switch="regex"][aria-pressed="true"]');
  await studio.type('evid.nce');
  await studio.find(row(`${inDesk}[data-kind="match"]`));
  await studio.type('(');
  await studio.shows('search-problem', /isn't a valid regular expression/);
  await studio.find(row(`${inDesk}[data-kind="match"]`));
  await studio.press('Backspace');
  await studio.absent('search-problem');
}));

test('a file with unsaved text is kept, said why, and can be saved from there', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.open('press-review', 'SKILL.md');
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('Some evidence more.');
  await studio.unsaved(true);
  await studio.press('Ctrl+Shift+H');
  await studio.focused('search-text');
  await studio.type('evidence');
  await studio.find(row('[data-skill="press-review"][data-kind="file"] .dot'));
  await studio.press('Ctrl+Alt+Enter');
  await studio.shows('replace-unsaved', /Press Review: SKILL\.md/);
  await studio.button('Save', '[data-testid="replace-unsaved"]');
  await studio.absent('replace-unsaved');
  await studio.focused('replace-yes');
  await studio.unsaved(false);
  await studio.shows('replace-dialog', /^Remove \d+ matches/m);
  await studio.press('Escape');
  await studio.absent('replace-dialog');
}));

test('a copy of a linked skill in the folder of another agent is reviewed and imported', onMachine(async (machine) => {
  const home = await machine.place('user');
  await skill(join(home, '.claude/skills'), 'pdf-forms');
  await skill(join(home, '.codex/skills'), 'pdf-forms', {}, '\nAnother one of the same name.\n');
  const studio = await machine.start();
  await studio.one('linked');
  await studio.run('Review skills from other agents');
  await studio.one('review');
  await studio.find('[data-agent="codex"] [data-slug="pdf-forms"][data-status="conflict"]');
  await studio.press('Escape');
  await studio.absent('review');
  await studio.one('start-page');
}));

test('pictures of searching and of the review', onMachine(async (machine) => {
  await desk(machine);
  const home = await machine.place('user');
  await skill(join(home, '.claude/skills'), 'pdf-forms');
  await skill(join(home, '.claude/skills'), 'meeting-notes');
  await skill(join(home, '.claude/skills'), 'press-review');
  await mkdir(join(home, '.claude/skills/half-done'), { recursive: true });
  await writeFile(join(home, '.claude/skills/half-done/SKILL.md'), 'Nothing that says what it is.\n');
  await skill(join(home, '.codex/skills'), 'pdf-forms', {}, '\nAnother one of the same name.\n');
  const studio = await machine.start();
  await studio.one('linked-skills');
  await studio.pictures('linked-skills');
  await studio.run('Review skills from other agents');
  await studio.find('[data-agent="codex"]');
  await studio.pictures('review');
  await studio.press('Escape');
  await studio.absent('review');

  // In a workspace there are two places to import to, and skills of both are found.
  const folder = await machine.place('notes');
  await skill(join(folder, '.claude/skills'), 'house-style');
  await skill(folder, 'source-list', { 'list.md': 'Evidence by source.\n' });
  await machine.command.in(folder).json('import', join(folder, 'source-list'));
  await studio.run('Open folder');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await studio.press('Enter');
  await studio.one('tree-item', '[data-skill="source-list"][data-scope="workspace"]');
  await studio.run('Review skills from other agents');
  await studio.one('review-scope');
  await studio.pictures('review-workspace');
  await (await studio.one('review-scope')).selectByAttribute('value', 'workspace');
  await studio.find('[data-slug="press-review"][data-status="new"]');
  await studio.press('Escape');
  await studio.absent('review');

  await studio.press('Ctrl+Shift+H');
  await studio.focused('search-text');
  await studio.type('evidence');
  await (await studio.one('search-replacement')).click();
  await studio.type('proof');
  await studio.find(row('[data-kind="match"] ins'));
  await (await studio.find(row(`${inDesk}[data-kind="match"]`))).click();
  await studio.one('tab', '[aria-selected="true"]');
  await studio.focused('search-tree');
  await studio.press('Down');
  await studio.press('Delete');
  await studio.shows('search-summary', /^\d+ of/);
  await studio.pictures('search');
  await studio.press('Ctrl+Alt+Enter');
  await studio.focused('replace-yes');
  await studio.pictures('search-asked');
  await studio.press('Enter');
  await studio.one('skipped-skills');
  await studio.shows('toast', /Replaced/);
  await studio.pictures('search-replaced', { toasts: true });
  await (await studio.one('search-narrow')).click();
  await (await studio.one('search-text')).click();
  await studio.press('Alt+R');
  await studio.type('(');
  await studio.one('search-problem');
  await studio.pictures('search-problem');
}));
