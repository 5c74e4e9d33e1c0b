import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

/** @param {Studio} studio @param {string} slug */
const isInTree = (studio, slug) => studio.count(`[data-skill="${slug}"][data-kind="skill"]`);

test('deleted skills are listed with their files, restored by keyboard, and the restore can be undone', onMachine(async (machine) => {
  const { command } = machine;
  for (const name of ['Desk notes', 'Press review', 'Old plan']) {
    await command.json('skill', 'create', name, '--description', `What ${name} does, and when to use it.`);
  }
  await command.json('skill', 'delete', 'desk-notes', 'press-review');
  const studio = await machine.start();

  await studio.run('Show deleted skills');
  await studio.focused('deleted-filter');
  await until(async () => (await studio.count('[data-testid="deleted-skill"]')) === 2, 'the two deleted skills');
  await studio.press('Down');
  await studio.focused('deleted-list');
  await studio.shows('deleted-text', 'name: press-review');
  await studio.shows('deleted-content', 'What Press review does');
  // One that is deleted meanwhile, elsewhere, comes to the list.
  await command.json('skill', 'delete', 'old-plan');
  await until(async () => (await studio.count('[data-testid="deleted-skill"]')) === 3, 'the third one');
  await studio.press('Ctrl+a');
  await studio.shows('deleted', 'Restore 3 skills');
  await studio.press('Escape');
  await studio.absent('deleted');

  await studio.run('Show deleted skills');
  await studio.focused('deleted-filter');
  // Escape empties the filter, then closes the list.
  await studio.type('plan');
  await studio.press('Escape');
  await until(async () => (await studio.count('[data-testid="deleted-skill"]')) === 3, 'all of them');
  await studio.press('Escape');
  await studio.absent('deleted');

  await studio.run('Show deleted skills');
  await studio.focused('deleted-filter');
  await studio.type('desk');
  await until(async () => (await studio.count('[data-testid="deleted-skill"]')) === 1, 'the one that matches');
  await studio.press('Down');
  await studio.press('Enter');
  await studio.absent('deleted');
  await studio.shows('toast', 'Restored Desk notes');
  await until(async () => (await isInTree(studio, 'desk-notes')) === 1, 'the skill in the tree');
  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await isInTree(studio, 'desk-notes')) === 0, 'the skill to be deleted again');
  assert.equal((await command.json('skill', 'deleted')).skills.length, 3);
}));

test('without deleted skills the list says what it is for', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.press('Ctrl+Alt+L');
  await studio.one('library-filters');
  await studio.button('Deleted skills…');
  await studio.shows('deleted-empty', 'No deleted skills');
  await studio.press('Enter');
  await studio.absent('deleted');
}));
