import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const [F4, F12, SPACE] = ['\uE034', '\uE03C', ' '];
const [CONTROL, SHIFT] = ['\uE009', '\uE008'];

const FILES = {
  'SKILL.md': `---
name: fact-desk
description: Weighs the evidence of a claim for the work of a news desk, when someone asks for it.
---
# Fact desk

Read [the guide](references/guide.md#weigh-it) first. The script is \`scripts/look.py\`.

## Steps

Run Weigh Claims, then say what is left open.
`,
  'references/guide.md': '# Guide\n\n## Weigh it\n\nBack to [the desk](../SKILL.md).\n',
  'prompts/weigh.j2': '{# one at a time #}\n{% for claim in claims %}\n- {{ claim.text }}\n{% endfor %}\n\n{{ topic }}\n',
  'prompts/report.j2': 'Report on {{ topic }} by {{ outputs.weigh_claims }}.\n',
  'scripts/look.py': "import inklings\n\n\ndef pages(word):\n    return inklings.search(word)\n\n\ninklings.submit({'pages': pages({{ topic }}) or params['topic']})\n",
  'skill.json': `${JSON.stringify(
    {
      artifacts: [
        { path: 'prompts/weigh.j2', kind: 'prompt_template', name: 'Weigh Claims', ordinal: 1, metadata: { params: { type: 'object', properties: { topic: { type: 'string', description: 'What it is about.' }, claims: { type: 'array' } } } } },
        { path: 'prompts/report.j2', kind: 'prompt_template', name: 'Report', ordinal: 2 },
        { path: 'scripts/look.py', kind: 'code_template', name: 'Look', ordinal: 3, metadata: { outputs: ['pages'] } },
      ],
      run: ['Weigh Claims', 'Report'],
    },
    null,
    2,
  )}\n`,
};

/** @param {Machine} machine */
async function desk(machine) {
  const folder = await machine.place('desk');
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(folder, 'fact-desk', path, '..'), { recursive: true });
    await writeFile(join(folder, 'fact-desk', path), text);
  }
  await machine.command.json('import', folder);
}

/**
 * Puts the cursor on a line, and some characters from its end.
 * @param {Studio} studio
 * @param {number} line
 * @param {number} [back]
 */
async function cursorAt(studio, line, back = 0) {
  await studio.press('Ctrl+G');
  await studio.focused('palette-input');
  await until(() => studio.browser.execute(() => /** @type {HTMLInputElement} */ (document.querySelector('[data-testid="palette-input"]')).value === ':'), 'the colon that asks for a line');
  await studio.type(String(line));
  await studio.press('Enter');
  await studio.shows('status-bar', `Ln ${line}, Col 1`);
  await studio.focused('editor');
  await studio.press('End');
  for (let steps = 0; steps < back; steps++) await studio.press('Left');
}

/** What the cursor of the list with the keyboard is on. @param {Studio} studio */
const cursor = (studio) => studio.browser.execute(() => {
  const id = document.activeElement?.getAttribute('aria-activedescendant');
  return document.getElementById(id ?? '')?.getAttribute('aria-label') ?? '';
});

/** @param {Studio} studio */
const selected = (studio) => studio.browser.execute(() => document.getSelection()?.toString() ?? '');

/**
 * Where a word of the editor is on the screen.
 * @param {Studio} studio
 * @param {string} word
 */
const placeOf = (studio, word) => studio.browser.execute((wanted) => {
  const content = document.querySelector('[data-testid="editor"] .cm-content');
  const walker = document.createTreeWalker(content ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.textContent?.indexOf(wanted) ?? -1;
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + wanted.length);
    const box = range.getBoundingClientRect();
    return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  }
  return null;
}, word);

/**
 * Clicks a word of the editor, perhaps with a key held.
 * @param {Studio} studio
 * @param {string} word
 * @param {string} [key]
 */
async function clickWord(studio, word, key) {
  const place = await until(() => placeOf(studio, word), `"${word}" in the editor`);
  if (key) await studio.browser.action('key').down(key).perform(true);
  await studio.browser.action('pointer').move(place).down().up().perform();
  if (key) await studio.browser.action('key').up(key).perform();
}

test('by keyboard: definition, references, and a variable renamed everywhere and back', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.open('fact-desk', 'prompts/weigh.j2');
  await studio.edit();
  await cursorAt(studio, 6, 4);
  await studio.press(F12);
  await studio.one('editor', '[data-path="skill.json"]');
  await studio.shows('status-bar', /Ln 12, /);

  // On the definition itself it is the uses that one wants to see.
  await studio.focused('editor');
  await studio.press(F12);
  await studio.shows('references-summary', /topic: 4 references in 4 files, plus 1 text match/);
  await studio.focused('references');
  for (const [key, row] of [['Home', /^prompts\/report\.j2, 1 reference/], ['Down', /^Line 1, column 14: Report on/]]) {
    await studio.press(/** @type {string} */ (key));
    await until(async () => /** @type {RegExp} */ (row).test(await cursor(studio)), async () => `the list’s cursor on ${row}, it is on "${await cursor(studio)}"`);
  }
  await studio.press('Enter');
  await studio.one('editor', '[data-path="prompts/report.j2"]');
  await studio.focused('editor');
  await until(async () => (await selected(studio)) === 'topic', 'the place to be selected');
  await studio.press(F4);
  await studio.one('editor', '[data-path="prompts/weigh.j2"]');
  await studio.shows('status-bar', /Ln 6, /);
  await studio.press(`Shift+${F4}`);
  await studio.one('editor', '[data-path="prompts/report.j2"]');

  // What is typed is saved before the name changes.
  await studio.focused('editor');
  await studio.press('Ctrl+End');
  await studio.type('More. ');
  await studio.unsaved(true);
  await cursorAt(studio, 1, 36);
  const before = await machine.command.read('fact-desk', 'prompts/report.j2');
  await studio.press('F2');
  await studio.focused('rename-name');
  await studio.type('claims');
  await studio.shows('rename-summary', /A template already uses a variable claims/);
  await studio.press('Ctrl+A');
  await studio.type('subject');
  await studio.shows('rename-summary', /4 changes in 4 files\.[\s\S]*1 text match not renamed/);
  await studio.press('Enter');
  await studio.shows('toast', /Renamed topic to subject in 4 places/);
  await studio.absent('rename-box');
  await studio.focused('editor');
  assert.equal(await machine.command.read('fact-desk', 'prompts/report.j2'), 'Report on {{ subject }} by {{ outputs.weigh_claims }}.\nMore. ');
  assert.match(await machine.command.read('fact-desk', 'scripts/look.py'), /pages\(\{\{ subject \}\}\) or params\['topic'\]/);
  assert.match(await machine.command.read('fact-desk', 'skill.json'), /"subject": \{/);
  await until(async () => (await studio.text()).includes('{{ subject }}'), 'the editor to follow');

  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await studio.text()).includes('{{ topic }}'), 'the old name in the editor');
  assert.equal(await machine.command.read('fact-desk', 'prompts/report.j2'), `${before}More. `);
  assert.equal(await machine.command.read('fact-desk', 'skill.json'), FILES['skill.json']);
}));

test('by mouse: links are followed with Ctrl, help is shown, an artifact is renamed from its use', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.open('fact-desk', 'SKILL.md');
  await clickWord(studio, 'references/guide.md', CONTROL);
  await studio.one('editor', '[data-path="references/guide.md"]');
  await studio.shows('status-bar', 'Ln 3, Col 1');
  await clickWord(studio, '../SKILL.md', CONTROL);
  await studio.one('editor', '[data-path="SKILL.md"]');
  await clickWord(studio, 'scripts/look.py', CONTROL);
  await studio.one('editor', '[data-path="scripts/look.py"]');

  await studio.open('fact-desk', 'prompts/report.j2');
  const word = await until(() => placeOf(studio, 'topic'), 'the variable');
  await studio.browser.action('pointer').move(word).perform();
  await until(async () => /What it is about\.[\s\S]*Used by Weigh Claims, Report, Look/.test(await studio.words('.help-card')), async () => `the help, which says: ${await studio.words('.help-card')}`);
  await studio.browser.action('pointer').move({ x: 5, y: 5 }).perform();

  await clickWord(studio, 'weigh_claims');
  await studio.press('F2');
  await studio.focused('rename-name');
  await studio.press('Ctrl+A');
  await studio.type('Judge');
  await studio.shows('rename-summary', /3 changes in 2 files[\s\S]*1 text match not renamed/);
  // What only a person can tell is one click away, and nothing was changed.
  await (await studio.find('[data-testid="rename-box"] li button')).click();
  await studio.absent('rename-box');
  await studio.one('editor', '[data-path="SKILL.md"]');
  assert.equal(await selected(studio), 'Weigh Claims');
  assert.equal(await machine.command.revision('fact-desk'), 1);

  await studio.open('fact-desk', 'prompts/report.j2');
  await clickWord(studio, 'weigh_claims');
  await studio.run('Rename variable or artifact');
  await studio.focused('rename-name');
  await studio.press('Ctrl+A');
  await studio.type('Judge');
  await studio.press('Enter');
  await studio.shows('toast', /Renamed Weigh Claims to Judge in 3 places/);
  await until(async () => (await studio.text()).includes('{{ outputs.judge }}'), 'the output’s new name');
  await studio.button('Show', '[data-testid="toast"]');
  await studio.shows('references-summary', /No references to Weigh Claims, plus 1 text match/);
  await (await studio.find('[data-testid="reference"][data-kind="location"]')).click();
  await studio.one('editor', '[data-path="SKILL.md"]');
}));

test('the outline follows the text and its cursor, and symbols are gone to by name', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.open('fact-desk', 'SKILL.md');
  await studio.run('Show outline');
  await studio.one('outline-item', '[data-line="5"]');
  await (await studio.one('outline-item', '[data-line="9"]')).click();
  await studio.focused('editor');
  await studio.shows('status-bar', 'Ln 9, Col 1');
  await studio.press('Ctrl+End');
  await studio.type('\n## New part\n');
  await studio.shows('outline-item', /New part/);
  await until(async () => /New part/.test(await studio.words('[data-testid="outline-item"][aria-selected="true"]')), 'the outline’s cursor to follow');

  await studio.press('Ctrl+Shift+O');
  await studio.choose('Steps');
  await studio.shows('status-bar', 'Ln 9, Col 1');
  await studio.focused('editor');
  await studio.open('fact-desk', 'scripts/look.py');
  await studio.shows('outline-item', /pages\s*function/);
  await studio.press('Ctrl+Shift+O');
  await studio.focused('palette-input');
  await studio.press('Escape');
  await studio.absent('symbol-palette');
  await studio.focused('editor');
}));

test('completion knows the skill, snippets and the files’ shapes', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  const list = '.cm-tooltip-autocomplete';
  // A list that has only just come up takes no keys: Enter may have been meant for the text.
  const offers = async (/** @type {RegExp} */ wanted) => {
    let since = Infinity;
    await until(async () => {
      const shown = wanted.test(await studio.words(list));
      since = shown ? Math.min(since, Date.now()) : Infinity;
      return Date.now() - since > 100;
    }, async () => `${wanted} in the list: ${await studio.words(list)}`);
  };

  await studio.open('fact-desk', 'prompts/report.j2');
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('{{ cla');
  await offers(/claims/);
  await studio.press('Enter');
  await until(async () => /\{\{ claims\}\}/.test(await studio.text()), async () => `the variable of another prompt: ${await studio.text()}`);
  await studio.type(' | uppe');
  await offers(/upper/);
  await studio.press('Tab');
  await until(async () => /\{\{ claims \| upper\}\}/.test(await studio.text()), 'the filter');
  await studio.press('End');
  await studio.type('\n{{ outputs.');
  await offers(/weigh_claims/);
  await studio.press('Escape');
  await studio.press('End');
  await studio.type('\n{% fo');
  await offers(/for … endfor/);
  await studio.press('Enter');
  await until(async () => /\{% for item in items %\}\n\n\{% endfor %\}/.test(await studio.text()), async () => `the whole loop: ${await studio.text()}`);
  await studio.type('one');
  await until(async () => /\{% for one in items %\}/.test(await studio.text()), 'the first field to be typed over');

  await studio.open('fact-desk', 'skill.json');
  await studio.rewrite('{\n  "artifacts": [],\n  \n}\n');
  await cursorAt(studio, 3);
  await studio.press(`Ctrl+${SPACE}`);
  await offers(/relations/);
  await studio.type('rel');
  await studio.press('Enter');
  await until(async () => /"relations": \{\}/.test(await studio.text()), async () => `the key with its value: ${await studio.text()}`);

  await studio.open('fact-desk', 'SKILL.md');
  await studio.edit();
  await cursorAt(studio, 3);
  await studio.type('\nlic');
  await offers(/license/);
  await studio.press('Escape');
  await studio.press('Ctrl+End');
  await studio.type('[more](ref');
  await offers(/references\/guide\.md/);
  await studio.press('Enter');
  await until(async () => /\[more\]\(references\/guide\.md/.test(await studio.text()), 'the link');
}));

test('formatting is one step, also on saving, and leaves alone what it can’t read', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  await studio.open('fact-desk', 'skill.json');
  const minified = JSON.stringify(JSON.parse(FILES['skill.json']));
  await studio.rewrite(minified);
  await studio.press('Shift+Alt+F');
  await until(async () => /^\{\n {2}"artifacts": \[\n/.test(await studio.text()), 'the text to be formatted');
  await studio.press('Ctrl+Z');
  await until(async () => (await studio.text()) === minified, 'one step back');
  await studio.rewrite('{ "run": [');
  await studio.press('Shift+Alt+F');
  await studio.shows('toast', /Couldn’t format skill\.json[\s\S]*line 1/);
  assert.equal(await studio.text(), '{ "run": [');
  await studio.run('Discard unsaved changes');
  await studio.clearToasts();

  await studio.open('fact-desk', 'references/guide.md');
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('* one\ntwo');
  await studio.run('Open settings');
  await (await studio.one('settings-query')).setValue('format on save');
  await (await studio.one('setting', '[data-setting="format"] input')).click();
  await studio.run('Show editor');
  await studio.edit();
  await studio.save();
  assert.match(await machine.command.read('fact-desk', 'references/guide.md'), /\n\n- one\n- two\n$/);
}));

test('what fingers know from other editors', onMachine(async (machine) => {
  await desk(machine);
  const studio = await machine.start();
  const becomes = (/** @type {string} */ wanted) => until(async () => (await studio.text()) === wanted, async () => `${JSON.stringify(wanted)}, the text is ${JSON.stringify(await studio.text())}`);
  await studio.open('fact-desk', 'scripts/look.py');
  await studio.rewrite('one = 1\ntwo = 2\none\n');
  await studio.press('Ctrl+Home');
  await studio.press('Ctrl+/');
  await becomes('# one = 1\ntwo = 2\none\n');
  await studio.press('Ctrl+/');
  await studio.press('Alt+Down');
  await becomes('two = 2\none = 1\none\n');
  await studio.press('Shift+Alt+Up');
  await becomes('two = 2\none = 1\none = 1\none\n');
  await studio.press('Ctrl+Shift+K');
  await becomes('two = 2\none = 1\none\n');
  await studio.press('Home');
  await studio.press('Ctrl+D');
  await studio.press('Ctrl+D');
  await studio.type('x');
  await becomes('two = 2\nx = 1\nx\n');
  await studio.press('Ctrl+Home');
  await studio.press('Down');
  await studio.press('Down');
  await studio.press('Ctrl+L');
  await studio.press('Delete');
  await becomes('two = 2\nx = 1\n');
  await studio.press('Ctrl+Home');
  await studio.press('Ctrl+Alt+Down');
  await studio.type('# ');
  await becomes('# two = 2\n# x = 1\n');

  await studio.open('fact-desk', 'prompts/weigh.j2');
  await studio.edit();
  assert.equal(await studio.count('.cm-foldPlaceholder'), 0);
  await studio.run('Fold all');
  await until(async () => (await studio.count('[data-testid="editor"] .cm-foldPlaceholder')) === 1, 'the loop to be folded');
  await studio.run('Unfold all');
  await until(async () => (await studio.count('[data-testid="editor"] .cm-foldPlaceholder')) === 0, 'it to be unfolded');
  // Both ends of a block are marked, wherever in one of them the cursor is.
  await cursorAt(studio, 4, 3);
  await until(async () => (await studio.count('[data-testid="editor"] .cm-matchingBracket')) >= 2, 'both ends to be marked');
  await clickWord(studio, 'endfor', SHIFT);
}));
