import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

const PROMPT = 'prompts/check-prompt.j2';
const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const TEXT = `${LINES.join('\n')}\n`;

/**
 * A skill of one's own, with a prompt of seven lines at revision 2.
 * @param {import('../harness/studio.mjs').Machine} machine
 */
async function prepared(machine) {
  const skill = await machine.command.fork('consistency-checker');
  await machine.command.write(skill, PROMPT, TEXT);
  return skill;
}

/** @param {import('../harness/studio.mjs').Studio} studio @param {string} words */
const chosen = (studio, words) =>
  until(
    async () => (await studio.words('[data-testid="history-list"] [aria-selected="true"]')).includes(words),
    async () => `"${words}" to be chosen in the history: ${await studio.words('[data-testid="history-list"]')}`,
  );

/** @param {import('../harness/studio.mjs').Studio} studio @param {string} side @param {string | RegExp} wanted */
const compared = (studio, side, wanted) =>
  until(
    async () => {
      const words = await studio.words(`[data-testid="comparison"] ${side}`);
      return typeof wanted === 'string' ? words.includes(wanted) : wanted.test(words);
    },
    async () => `${wanted} in the comparison, which shows: ${await studio.words('[data-testid="comparison"]')}`,
  );

const LEFT = '.cm-merge-a';
const RIGHT = '.cm-merge-b';

test('the history by keyboard: older parts, what changed, two marked ones, going back and Undo', onMachine(async (machine) => {
  const skill = await prepared(machine);
  for (let number = 3; number <= 54; number += 1) await machine.command.write(skill, number % 10 === 0 ? 'rare.md' : 'notes.md', `text ${number}\n`);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.run('Show history');
  await studio.focused('history-list');
  await chosen(studio, 'current');
  assert.equal(await studio.count('[data-testid="revision"][data-number="1"]'), 0, 'a long history isn’t all there');

  await studio.press('Down');
  await chosen(studio, '53');
  await studio.press('Enter');
  await studio.one('tab', '[aria-selected="true"][title="Consistency Checker Copy (52 → 53)"]');
  await compared(studio, LEFT, 'text 52');
  await compared(studio, RIGHT, 'text 53');

  // The end of the list leads to the begin of the history.
  await studio.run('Show history');
  await studio.focused('history-list');
  await until(
    async () => {
      // Its older part arrives a moment after the end of the one before it was gone to, and then that isn't the end any more.
      await studio.press('End');
      return (await studio.words('[data-testid="history-list"] [aria-selected="true"]')).includes('duplicated from');
    },
    'the first revision to be chosen',
    { every: 200 },
  );
  assert.equal(await studio.count('[data-testid="revision"][data-number="1"][aria-selected="true"]'), 1);
  await studio.press(' ');
  await studio.press('Up');
  await chosen(studio, 'check-prompt');
  await studio.press(' ');
  await studio.press('Enter');
  await studio.one('tab', '[aria-selected="true"][title="Consistency Checker Copy (1 → 2)"]');
  await compared(studio, RIGHT, 'seven');

  await studio.run('Show history');
  await studio.focused('history-list');
  await studio.button('Roll back skill');
  await until(async () => (await machine.command.revision(skill)) === 55, 'the roll-back');
  assert.deepEqual((await machine.command.json('skill', 'show', skill)).entries.filter((/** @type {{ path: string }} */ one) => one.path === 'notes.md'), []);
  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await machine.command.revision(skill)) === 56, 'the roll-back to be undone');
  assert.equal(await machine.command.read(skill, 'notes.md'), 'text 54\n');
}));

test('the history of a file: only its revisions, and restoring it alone', onMachine(async (machine) => {
  const skill = await prepared(machine);
  await machine.command.write(skill, 'notes.md', 'a note\n');
  await machine.command.write(skill, PROMPT, 'later\n');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.run('Show file history');
  await studio.focused('history-list');
  await until(async () => (await studio.count('[data-testid="revision"]')) === 3, 'three revisions of the file');
  await studio.press('Down');
  await chosen(studio, '2');
  await studio.shows('revision-detail', PROMPT);
  await studio.button('Restore this file');
  await until(async () => (await machine.command.revision(skill)) === 5, 'the restored file');
  assert.equal(await machine.command.read(skill, PROMPT), TEXT);
  assert.equal(await machine.command.read(skill, 'notes.md'), 'a note\n', 'the others stay');
  await until(async () => (await studio.text()).startsWith('one'), 'the restored text in the editor');
  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await machine.command.read(skill, PROMPT)) === 'later\n', 'the restoring to be undone');
}));

test('a comparison of several files: list, next change, inline, blanks; remembered', onMachine(async (machine) => {
  const skill = await prepared(machine);
  await machine.command.write(skill, PROMPT, TEXT.replace('two', 'TWO').replace('six', '  six').replace('seven', 'SEVEN'));
  await machine.command.write(skill, 'notes.md', 'a note\n');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.run('Show history');
  for (const number of [2, 4]) await (await studio.find(`[data-testid="revision"][data-number="${number}"] [data-testid="mark-revision"]`)).click();
  await (await studio.one('compare-revisions')).click();
  await until(async () => (await studio.count('[data-testid="compared-files"] [role=option]')) === 2, 'two files');
  await compared(studio, RIGHT, 'a note');

  // F7 goes through the changes of a file, then to the next file.
  await studio.press('F7');
  await studio.shows('changes', '2 changes');
  await compared(studio, RIGHT, 'SEVEN');
  await (await studio.one('ignore-spaces')).click();
  await compared(studio, RIGHT, 'TWO');
  await until(async () => (await studio.count(`[data-testid="comparison"] ${RIGHT} .cm-changedLine`)) === 2, 'blanks to be passed over');
  await studio.run('Toggle inline view');
  await compared(studio, '.cm-editor', 'TWO');
  assert.equal(await studio.count('[data-testid="comparison"] .cm-mergeView'), 0);
  await until(async () => (await studio.count('[data-testid="comparison"] .cm-deletedChunk')) > 0, 'what was removed, inline');

  // By keyboard in the list of files.
  await (await studio.find('[data-testid="compared-files"] [data-path="notes.md"]')).click();
  await studio.focused('compared-files');
  await compared(studio, '.cm-editor', 'a note');
  await studio.press('Down');
  await compared(studio, '.cm-editor', 'TWO');

  await studio.window.kill();
  const again = await machine.start();
  await again.open(skill, PROMPT);
  await again.run('Show history');
  await again.focused('history-list');
  await again.press('Down');
  await again.press('Enter');
  await compared(again, '.cm-editor', 'TWO');
  assert.equal(await again.count('[data-testid="comparison"] .cm-mergeView'), 0, 'the look is remembered');
}));

test('files are chosen and compared from menus, and unsaved text with what is saved', onMachine(async (machine) => {
  const skill = await prepared(machine);
  await machine.command.write(skill, 'notes.md', `${TEXT}eight\n`);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await (await studio.one('tab', '[aria-selected="true"]')).click({ button: 'right' });
  await studio.button('Select for compare');
  await (await studio.one('tree-item', `[data-skill="${skill}"][data-path="notes.md"]`)).click({ button: 'right' });
  await studio.button('Compare with selected');
  await compared(studio, RIGHT, 'eight');
  await studio.shows('changes', '1 change');

  await studio.open(skill, PROMPT);
  await studio.edit();
  await studio.press('Ctrl+Home');
  await studio.type('typed ');
  await studio.run('Compare with saved');
  await compared(studio, LEFT, /^1?\s*one/m);
  await compared(studio, RIGHT, 'typed one');
}));

test('a change made elsewhere that touches other lines is merged with one click, parted again, and saved', onMachine(async (machine) => {
  const skill = await prepared(machine);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.edit();
  await studio.press('Ctrl+Home');
  await studio.type('mine ');
  await studio.unsaved(true);
  await machine.command.write(skill, PROMPT, TEXT.replace('seven', 'theirs'));
  await studio.shows('external', 'No conflicts with your changes');
  assert.doesNotMatch(await studio.text(), /theirs/, 'nothing is merged before it is asked for');
  await studio.button('Merge changes', '[data-testid="external"]');
  await until(async () => /^mine one[\s\S]*theirs/.test(await studio.text()), 'both changes in the text');
  await studio.unsaved(true);
  await studio.button('Undo', '[data-testid="joined"]');
  await studio.shows('external', 'No conflicts with your changes');
  assert.doesNotMatch(await studio.text(), /theirs/);

  await studio.button('Merge changes', '[data-testid="external"]');
  await studio.one('joined');
  // Undone in the text, saving would take their change away: it asks.
  await studio.edit();
  await studio.press('Ctrl+Z');
  await studio.press('Ctrl+S');
  await studio.one('conflict');
  assert.match(await machine.command.read(skill, PROMPT), /theirs/);
  await studio.button('Complete merge', '[data-testid="conflict"]');
  await studio.absent('conflict');
  await studio.unsaved(false);
  assert.equal(await machine.command.read(skill, PROMPT), `mine ${TEXT.replace('seven', 'theirs')}`);
}));

test('what overlaps is decided place by place, by keyboard and by mouse', onMachine(async (machine) => {
  const skill = await prepared(machine);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.rewrite(TEXT.replace('one', 'my one').replace('seven', 'my seven'));
  await studio.unsaved(true);
  await machine.command.write(skill, PROMPT, TEXT.replace('one', 'their one').replace('four', 'their four').replace('seven', 'their seven'));
  await studio.press('Ctrl+S');
  await studio.one('conflict');
  await studio.shows('conflict-about', '2 of 2 conflicts left');
  const save = await studio.one('save-merged');
  assert.equal(await save.isEnabled(), false, 'nothing is saved before all is decided');

  await until(async () => (await studio.count('[data-testid="conflict-bar"]')) === 2, 'both places to be marked');
  await (await studio.find('[data-testid="conflict-bar"] button[data-choice="both"]')).click();
  await studio.shows('conflict-about', '1 of 2 conflicts left');
  // A look at another file leaves what was decided.
  await studio.openTab(skill, 'SKILL.md');
  await (await studio.one('tab', `[data-path="${PROMPT}"]`)).click();
  await studio.shows('conflict-about', '1 of 2 conflicts left');
  await until(async () => (await studio.words('[data-testid="conflict"] .cm-merge-b')).includes('their one'), 'what was decided in the text');
  await (await studio.find('[data-testid="conflict"] .cm-merge-b .cm-content')).click();
  await studio.press('Ctrl+Home');
  await studio.press('F7');
  await until(async () => (await studio.words('[data-testid="conflict-slot"]')).includes('Conflict 2 of 2'), 'the second place');
  await (await studio.find('[data-testid="conflict-slot"] button[data-choice="theirs"]')).click();
  await studio.shows('conflict-about', 'All conflicts resolved');
  await until(async () => save.isEnabled().catch(async () => (await studio.one('save-merged')).isEnabled()), 'saving to be possible');
  await (await studio.one('save-merged')).click();
  await studio.absent('conflict');
  assert.equal(await machine.command.read(skill, PROMPT), TEXT.replace('one', 'my one\ntheir one').replace('four', 'their four').replace('seven', 'their seven'));
}));

test('where a skill lives: the scope that wins, copies of other agents, and what differs', onMachine(async (machine) => {
  const skill = await prepared(machine);
  const copy = join(machine.folder, 'user', '.claude', 'skills', skill);
  await machine.command.json('export', skill, '--out', join(machine.folder, 'user', '.claude', 'skills'));
  await machine.command.write(skill, PROMPT, TEXT.replace('two', 'TWO'));
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.button('Info', '[data-testid="inspector"]');
  await studio.shows('resolved', 'Account, in every workspace; also in ~/.claude/skills, older.');
  await studio.one('copy', '[data-relation="older"]');
  await studio.button('Compare', '[data-testid="copy"]');
  await compared(studio, LEFT, 'two');
  await compared(studio, RIGHT, 'TWO');
  await mkdir(join(copy, 'more'), { recursive: true });
  await writeFile(join(copy, 'more', 'new.md'), 'only there\n');
  await machine.command.write(skill, PROMPT, TEXT.replace('two', '2'));
  await studio.one('copy', '[data-relation="different"]');
}));

test('the history is of the skill in front, whatever was looked at before, and goes on with each save', onMachine(async (machine) => {
  const first = await prepared(machine);
  const second = await machine.command.fork('workspace-link-auditor');
  for (let number = 2; number <= 5; number += 1) await machine.command.write(second, 'notes.md', `text ${number}\n`);
  const studio = await machine.start();
  const newest = (/** @type {string} */ number) => until(
    async () => (await studio.browser.execute(() => document.querySelector('[data-testid="revision"]')?.getAttribute('data-number'))) === number,
    async () => `revision ${number} on top of ${await studio.words('[data-testid="history-list"]')}`,
  );
  await studio.open(first, PROMPT);
  await studio.run('Show history');
  await newest('2');
  // The tab goes, and comes back for another skill.
  await studio.run('Show preview');
  await studio.absent('history');
  await studio.open(second, 'SKILL.md');
  await studio.run('Show history');
  await newest('5');
  await machine.command.write(second, 'notes.md', 'text 6\n');
  await newest('6');
  assert.equal(await machine.command.revision(first), 2);
}));

test('in a list that scrolls, revisions are marked with the pointer', onMachine(async (machine) => {
  const skill = await prepared(machine);
  for (let number = 3; number <= 24; number += 1) await machine.command.write(skill, 'notes.md', `text ${number}\n`);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.run('Show history');
  await studio.focused('history-list');
  // The pointer wakes the scrollbar, which then takes what is clicked below it.
  const list = await studio.one('history-list');
  await list.moveTo();
  for (const number of ['24', '22']) {
    const mark = await studio.find(`[data-testid="revision"][data-number="${number}"] [data-testid="mark-revision"]`);
    await mark.moveTo();
    await mark.click();
  }
  await studio.shows('history', 'Revisions 22 and 24');
}));

test('pictures of history and comparisons', onMachine(async (machine) => {
  const skill = await prepared(machine);
  await machine.command.json('export', skill, '--out', join(machine.folder, 'user', '.claude', 'skills'));
  await machine.command.write(skill, PROMPT, TEXT.replace('two', 'TWO').replace('six', 'six and a half'));
  await machine.command.write(skill, 'notes.md', 'A note.\n');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.run('Show history');
  await studio.focused('history-list');
  await studio.shows('revision-detail', 'notes.md');
  await studio.pictures('history');
  for (const number of [2, 4]) await (await studio.find(`[data-testid="revision"][data-number="${number}"] [data-testid="mark-revision"]`)).click();
  await (await studio.one('compare-revisions')).click();
  await compared(studio, RIGHT, 'A note.');
  await studio.press('F7');
  await compared(studio, RIGHT, 'TWO');
  await studio.pictures('comparison');
  await studio.run('Toggle inline view');
  await compared(studio, '.cm-editor', 'TWO');
  await studio.pictures('comparison-inline');
  await studio.open(skill, PROMPT);
  await studio.button('Info', '[data-testid="inspector"]');
  await studio.one('copy');
  await studio.rewrite(TEXT.replace('one', 'my one').replace('seven', 'my seven'));
  await machine.command.write(skill, PROMPT, TEXT.replace('six', 'SIX').replace('one', 'their one'));
  await studio.one('external');
  await studio.pictures('places');
  await studio.button('Resolve conflicts', '[data-testid="external"]');
  await studio.one('conflict-bar');
  await studio.pictures('conflict');
}));
