import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const F1 = '\uE031';
/** @param {string} id */
const setting = (id) => `[data-testid="setting"][data-setting="${id}"]`;
/** @param {string} command */
const keyRow = (command) => `[data-testid="key-row"][data-command="${command}"]`;
/** @param {Studio} studio @param {string} style */
const rootStyle = (studio, style) => studio.browser.execute((name) => getComputedStyle(document.documentElement).getPropertyValue(name), style);

/** @param {Studio} studio @param {string} words */
async function searchSettings(studio, words) {
  await studio.press('Ctrl+F');
  await until(() => studio.browser.execute(() => document.activeElement?.matches('[data-testid="settings-query"]') === true), 'the search to have the focus');
  await studio.press('Ctrl+A');
  await studio.type(words);
}

test('by keyboard: a setting is found, changed, reset, and kept over a restart', onMachine(async (machine) => {
  let studio = await machine.start();
  await studio.open('consistency-checker', 'prompts/check-prompt.j2');
  await studio.press('Ctrl+,');
  await studio.one('settings');
  await searchSettings(studio, 'letters bigger');
  await studio.shows('settings-count', '1 setting');
  await studio.press('Down');
  await until(() => studio.browser.execute((row) => document.activeElement?.matches(`${row} select`) === true, setting('code-size')), 'the choice to have the focus');
  await studio.type('18');
  await until(async () => (await rootStyle(studio, '--code-size')).trim() === '18px', 'larger text');
  await studio.find(`${setting('code-size')}.changed`);
  await studio.press('Escape');
  await studio.run('Show editor');
  const size = () => studio.browser.execute(() => getComputedStyle(document.querySelector('[data-testid="editor"] .cm-content') ?? document.body).fontSize);
  await until(async () => (await size()) === '18px', async () => `larger text in the editor, it is ${await size()}`);

  await studio.window.close();
  studio = await machine.start();
  await until(async () => (await rootStyle(studio, '--code-size')).trim() === '18px', 'larger text after the restart');
  await studio.press('Ctrl+,');
  await searchSettings(studio, 'font size');
  await studio.button('Reset font size');
  await until(async () => (await rootStyle(studio, '--code-size')).trim() === '13px', 'the usual text');
  assert.equal(await studio.count(`${setting('code-size')}.changed`), 0);

  await searchSettings(studio, 'zebra');
  await studio.shows('settings-count', 'No results');
  await studio.press('Escape');
  await studio.shows('settings-count', '');
}));

test('by mouse: sections have counts, a part of a section is gone to, and paths of the data are copied', onMachine(async (machine) => {
  const studio = await machine.start();
  await (await studio.one('activity-settings')).click();
  await (await studio.one('settings-query')).click();
  await studio.type('key');
  await studio.find('[data-value="models"] .text-numeric');
  await studio.button('Show', setting('providers'));
  await studio.one('models');
  await (await studio.find('[data-testid="settings"] [data-value="data"]')).click();
  await studio.shows('settings-data', machine.home);
  await studio.button('Copy path of account folder');
  await studio.shows('toast', 'Copied the path');
  // From section to section with the keys.
  await (await studio.find('[data-testid="settings"] [data-value="general"]')).click();
  await studio.press('Down');
  await studio.one('settings-editor');
  await studio.press('Home');
  await (await studio.find(`${setting('theme')} input[value="dark"]`)).click();
  await until(() => studio.browser.execute(() => document.documentElement.dataset.theme === 'dark'), 'the dark theme');
  await studio.button('Help: appearance');
  await studio.one('help-article', '[data-page="settings"]');
}));

test('a shortcut is looked up by pressing it, changed, used at once, and reset', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.run('Open keyboard shortcuts');
  await studio.one('keys');
  await (await studio.one('keys-press')).click();
  await studio.press('Ctrl+P');
  await until(async () => (await studio.allWords('[data-testid="key-row"]')).length === 1, 'one action with these keys');
  assert.equal(await studio.count('[data-testid="palette"]'), 0, 'keys that are looked for run nothing');
  await (await studio.one('keys-press')).click();

  await (await studio.one('keys-query')).click();
  await studio.type('quick open');
  await (await studio.find(`${keyRow('go.quick')} [data-key="Ctrl+P"]`)).click();
  await studio.focused('key-box');
  await studio.press('x');
  await studio.shows('key-remarks', 'can’t be used alone');
  await studio.press('Ctrl+Shift+E');
  await studio.shows('key-remarks', /Ctrl\+Shift\+E is also used by .*Focus skill tree/);
  // A second stroke makes a chord, a third one begins again.
  await studio.press('Ctrl+Alt+U');
  await studio.shows('key-remarks', /begins like the shortcut of .*Focus skill tree/);
  await studio.press('Ctrl+Alt+U');
  await studio.shows('key-remarks', 'Ctrl+Alt+U isn’t used yet');
  await studio.press('Enter');
  await studio.absent('key-recorder');
  await studio.find(`${keyRow('go.quick')}.changed [data-key="Ctrl+Alt+U"]`);

  await studio.press('Ctrl+P');
  await studio.press('Ctrl+Alt+U');
  await studio.one('palette');
  await studio.press('Escape');
  await studio.absent('palette');
  // The palette shows what holds now.
  await studio.press('Ctrl+Shift+P');
  await studio.type('Go to skill or file');
  await studio.shows('palette-option', 'Ctrl+Alt+U');
  await studio.press('Escape');

  await (await studio.find(`${keyRow('go.quick')} [data-testid="key-reset"]`)).click();
  await studio.find(`${keyRow('go.quick')} [data-key="Ctrl+P"]`);
  await studio.press('Ctrl+P');
  await studio.one('palette');
}));

/**
 * A skill with two scripts: one that never ends and one that fails.
 * @param {import('../harness/studio.mjs').Machine} machine
 */
async function slow(machine) {
  const folder = join(await machine.place('skills'), 'slow');
  await mkdir(join(folder, 'scripts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: slow\ndescription: Takes its time. Use it when something should take long.\n---\n\nWait.\n');
  await writeFile(join(folder, 'scripts/wait.py'), 'import inklings\ninklings.progress(0.25, "a quarter")\nwhile True:\n    pass\n');
  await writeFile(join(folder, 'scripts/fail.py'), 'raise ValueError("no luck")\n');
  const artifacts = ['wait', 'fail'].map((name, ordinal) => ({ path: `scripts/${name}.py`, kind: 'code_template', name, ordinal }));
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts }));
  await machine.command.json('import', folder);
}

/** @param {string} state */
const task = (state) => `[data-testid="task"][data-state="${state}"]`;

test('by keyboard: a run is a task that is stopped in the list, and one that failed says why and is tried again', onMachine(async (machine) => {
  await slow(machine);
  const studio = await machine.start();
  await studio.open('slow', 'scripts/wait.py');
  await studio.press('Ctrl+Enter');
  await studio.shows('status-tasks', '1 task running');
  // It goes on wherever one is.
  await studio.press('Ctrl+,');
  await studio.one('settings');
  await studio.press('Ctrl+Alt+K');
  await studio.shows('task', /Run scripts\/wait\.py\s+Slow/);
  await studio.find(`${task('running')} [role="progressbar"][aria-valuenow="25"]`);
  await until(() => studio.browser.execute(() => {
    const list = document.querySelector('[data-testid="task-list"]');
    if (list instanceof HTMLElement) list.focus();
    return document.activeElement === list;
  }), 'the list to have the focus');
  await studio.press('Delete');
  await studio.find(task('canceled'));
  await studio.shows('tasks-said', 'Run scripts/wait.py: canceled');
  await studio.press('Escape');
  await studio.absent('panel');

  await studio.run('Show editor');
  await studio.open('slow', 'scripts/fail.py');
  await studio.press('Ctrl+Enter');
  await studio.find('[data-testid="run-result"][data-status="error"], [data-testid="run-error"]');
  await studio.shows('status-tasks', '1 task failed');
  await (await studio.one('status-tasks')).click();
  await studio.shows('task', /no luck/);
  await studio.button('Try again', task('failed'));
  await until(async () => (await studio.count(task('failed'))) === 2, 'the second try');
  await studio.button('Show', task('failed'));
  await studio.one('trace');
  await studio.button('Clear finished tasks');
  await studio.shows('panel', 'No tasks');
  await studio.absent('status-tasks');
}));

test('the shortcuts are a table as wide as the page, with the keys of a row beside its name', onMachine(async (machine) => {
  const studio = await machine.start();
  for (const [width, height] of [[1280, 800], [900, 600]]) {
    await studio.window.resize(width, height);
    await studio.run('Open keyboard shortcuts');
    await studio.one('keys');
    const [table, page, row, keys] = /** @type {any[]} */ (await studio.browser.execute(() => ['[data-testid="keys"] table', '[data-testid="keys"]', '[data-testid="key-row"] th', '[data-testid="key-row"] td:last-child'].map((one) => document.querySelector(one)?.getBoundingClientRect().toJSON())));
    assert.ok(table.left === page.left && Math.abs(table.right - page.right) < 2, JSON.stringify({ table, page }));
    assert.ok(keys.top === row.top && keys.left > row.right - 1, JSON.stringify({ row, keys }));
  }
}));

test('the guide shows keys as they are', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.press(`Shift+${F1}`);
  await (await studio.one('help-page', '[data-page="editing"]')).click();
  await studio.one('help-article', '[data-page="editing"]');
  await studio.shows('help-article', 'Ctrl+\\ splits right');
  assert.doesNotMatch(await studio.words('[data-testid="help-article"]'), /<\/?kbd>/);
  assert.equal(await studio.browser.execute(() => {
    const article = document.querySelector('[data-testid="help-article"]');
    return article !== null && article.scrollWidth > article.clientWidth;
  }), false, 'nothing is wider than the page');
}));

test('help is found, read, followed, and leads to what it speaks of', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.press(`Shift+${F1}`);
  await studio.one('help-article', '[data-page="start"]');
  await studio.press('Ctrl+F');
  await until(() => studio.browser.execute(() => document.activeElement?.matches('[data-testid="help-query"]') === true), 'the search to have the focus');
  await studio.type('traceback lines');
  await studio.one('help-hit', '[data-page="scripts"]');
  await studio.press('Enter');
  await studio.one('help-article', '[data-page="scripts"]');
  await studio.shows('help-article', 'shows lines of your file');
  await studio.press('Escape');
  await (await studio.one('help-page', '[data-page="start"]')).click();
  await studio.shows('help-article', 'Ctrl+P');
  const link = await studio.find('[data-testid="help-article"] a[href$="transfer.md"]');
  await link.click();
  await studio.one('help-article', '[data-page="transfer"]');
  await studio.press('Alt+Left');
  await studio.one('help-article', '[data-page="start"]');
  await (await studio.one('help-page', '[data-page="running"]')).click();
  await (await studio.find('[data-testid="help-article"] a[href$="#run/run.retention"]')).click();
  await studio.one('settings-runs');
  // Help place, and the keys as they are.
  await studio.press(`Shift+${F1}`);
  await studio.one('help-article', '[data-page="running"]');
  await (await studio.one('help-page', '[data-page="keys"]')).click();
  await studio.shows('help-article', /Go to skill or file\s+Ctrl\+P/);
}));

test('quick open finds a file of a skill that was never opened, at a line, and beside', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.press('Ctrl+P');
  await studio.focused('palette-input');
  await studio.type('cross-ref:3');
  await until(async () => (await studio.words('[data-testid="palette-option"][aria-selected="true"]')).includes('cross-reference.py'), 'the file');
  assert.equal(await studio.count('[data-testid="palette-option"][aria-selected="true"] b') > 0, true, 'what matched is marked');
  await studio.press('Enter');
  await studio.one('editor', '[data-path="scripts/cross-reference.py"]');
  await studio.shows('status-bar', /Ln 3, Col 1/);
  await studio.press('Ctrl+P');
  await studio.focused('palette-input');
  await studio.type(':5');
  await studio.press('Enter');
  await studio.shows('status-bar', /Ln 5, Col 1/);
  // What was opened lately comes first.
  await studio.press('Ctrl+P');
  await until(async () => (await studio.words('[data-testid="palette-option"]')).includes('cross-reference.py'), 'the last file first');
  await studio.type('link audit');
  await until(async () => /Link Auditor/.test(await studio.words('[data-testid="palette-option"][aria-selected="true"]')), 'the skill');
  await studio.press('Ctrl+Enter');
  await until(async () => (await studio.count('[data-testid="editor-group"], [data-testid="group"]')) >= 2, 'a second editor');
  await studio.press('Ctrl+P');
  await studio.type('>');
  await studio.find('dialog[aria-label="Commands"]');
}));

test('the views are reached by arrow keys', onMachine(async (machine) => {
  const studio = await machine.start();
  await (await studio.one('activity-settings')).click();
  await studio.one('settings');
  const focused = () => studio.browser.execute(() => document.activeElement?.getAttribute('data-testid') ?? '');
  await until(async () => (await focused()) === 'activity-settings', 'the focus');
  assert.equal(await studio.count('[role="tablist"][aria-label="Views"] [tabindex="0"]'), 1);
  await studio.press('Up');
  assert.equal(await focused(), 'activity-help');
  await studio.press('Enter');
  await studio.one('help');
  await studio.press('Home');
  assert.equal(await focused(), 'activity-skills');
}));
