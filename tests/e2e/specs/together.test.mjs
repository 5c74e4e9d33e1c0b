import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

const PROMPT = 'prompts/check-prompt.j2';
/** Spec'd as one second; a busy test machine gets five. */
const SEEN_WITHIN = 5_000;

test('an edit by the command line appears in the open editor', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  /** @type {number[]} */
  const delays = [];
  for (const text of ['Written elsewhere, once.', 'Written elsewhere, twice.', 'Written elsewhere, three times.']) {
    await machine.command.write(skill, PROMPT, `${text}\n`).then(async (ended) => {
      await until(async () => (await studio.text()).startsWith(text), `"${text}" in the editor`, { deadline: SEEN_WITHIN, every: 20 });
      delays.push(Date.now() - ended);
    });
  }
  console.log(`seen ${delays.join(', ')} ms after the command ended`);
  await studio.unsaved(false);
}));

test('a new skill and a deleted one follow the command line in the tree', onMachine(async (machine) => {
  const studio = await machine.start();
  await machine.command.json('skill', 'create', 'Made elsewhere', '--description', 'Made by another program.');
  await studio.one('tree-item', '[data-skill="made-elsewhere"]');
  await machine.command.json('skill', 'delete', 'made-elsewhere');
  await until(async () => (await studio.count('[data-skill="made-elsewhere"]')) === 0, 'the deleted skill to go');
}));

/**
 * Both sides change the same file; the Studio asks.
 * @param {import('../harness/studio.mjs').Machine} machine
 */
async function conflict(machine) {
  const skill = await machine.command.fork('consistency-checker');
  await machine.command.write(skill, PROMPT, 'one\ntwo\nthree\n');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.rewrite('mine\ntwo\nthree\n');
  await studio.unsaved(true);
  await machine.command.write(skill, PROMPT, 'theirs\ntwo\nthree\n');
  await studio.press('Ctrl+S');
  await studio.one('conflict');
  await studio.shows('conflict', /mine/);
  await studio.shows('conflict', /theirs/);
  return { studio, skill, theirs: await machine.command.revision(skill) };
}

test('a conflict: keeping mine saves it as a revision on top of theirs', onMachine(async (machine) => {
  const { studio, skill, theirs } = await conflict(machine);
  await studio.button('Keep ours', '[data-testid="conflict"]');
  await studio.absent('conflict');
  await studio.unsaved(false);
  assert.equal(await machine.command.read(skill, PROMPT), 'mine\ntwo\nthree\n');
  assert.equal(await machine.command.revision(skill), theirs + 1);
}));

test('a conflict: taking theirs changes nothing in the store', onMachine(async (machine) => {
  const { studio, skill, theirs } = await conflict(machine);
  await studio.button('Use theirs', '[data-testid="conflict"]');
  await studio.absent('conflict');
  await until(async () => (await studio.text()).startsWith('theirs'), 'their text in the editor');
  await studio.unsaved(false);
  assert.equal(await machine.command.revision(skill), theirs);
}));

test('a conflict: what was merged by hand is saved', onMachine(async (machine) => {
  const { studio, skill } = await conflict(machine);
  const editable = await studio.find('[data-testid="conflict"] .cm-content[aria-label="Result"]');
  await editable.click();
  await studio.press('Ctrl+A');
  await studio.paste('both\ntwo\nthree\n');
  await studio.button('Complete merge', '[data-testid="conflict"]');
  await studio.absent('conflict');
  await studio.unsaved(false);
  assert.equal(await machine.command.read(skill, PROMPT), 'both\ntwo\nthree\n');
}));

test('a conflict: deciding later keeps both', onMachine(async (machine) => {
  const { studio, skill, theirs } = await conflict(machine);
  await studio.button('Resolve later', '[data-testid="conflict"]');
  await studio.absent('conflict');
  await studio.unsaved(true);
  assert.match(await studio.text(), /^mine/);
  assert.equal(await machine.command.revision(skill), theirs);
}));

test('a kill after both sides changed: the draft comes back, and saving it is a conflict', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.rewrite('mine\n');
  await machine.command.write(skill, PROMPT, 'theirs\n');
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('more');
  await until(async () => (await studio.count('[data-testid="save-state"][data-draft="kept"]')) === 1, 'the draft to be kept');
  await studio.window.kill();

  const again = await machine.start();
  const tab = await again.one('tab', `[data-path="${PROMPT}"]`);
  await tab.click();
  await until(async () => (await again.text()).startsWith('mine'), 'the draft in the editor');
  await again.press('Ctrl+S');
  await again.one('conflict');
  assert.equal(await machine.command.read(skill, PROMPT), 'theirs\n');
}));

test('changes to different files of a skill don’t meet', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.rewrite('mine\n');
  await machine.command.write(skill, 'approach/verification.md', '# Elsewhere\n');
  await studio.save();
  assert.equal(await studio.count('[data-testid="conflict"]'), 0);
  assert.equal(await machine.command.read(skill, PROMPT), 'mine\n');
  assert.equal(await machine.command.read(skill, 'approach/verification.md'), '# Elsewhere\n');
}));
