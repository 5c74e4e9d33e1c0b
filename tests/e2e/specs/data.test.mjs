import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

/** @param {Studio} studio @param {string} slug */
const isInTree = (studio, slug) => studio.count(`[data-skill="${slug}"][data-kind="skill"]`);

/** Types the folder that is asked for. @param {Studio} studio @param {string} folder */
async function choose(studio, folder) {
  await studio.focused('folder-input');
  await studio.press('Ctrl+a');
  await studio.paste(folder);
  await studio.press('Enter');
}

test('the account database is checked, backed up, and restored while the window is open', onMachine(async (machine) => {
  const backups = await machine.place('backups');
  await machine.command.json('skill', 'create', 'Desk notes', '--description', 'Keeps the notes of the desk.');
  const studio = await machine.start();
  await studio.run('Show data locations');
  await studio.button('Check integrity');
  await studio.shows('toast', 'The account database has no problems');
  await studio.clearToasts();

  await studio.run('Back up account database');
  await choose(studio, backups);
  await studio.shows('toast', 'Backed up the account database');
  const [name] = await readdir(backups);
  assert.match(name ?? '', /^inklings-account-.*\.db$/);
  await studio.clearToasts();

  await machine.command.json('skill', 'delete', 'desk-notes');
  await studio.run('Restore account database');
  await studio.focused('restore-path');
  await studio.type('/nowhere/at.all');
  await studio.press('Enter');
  await studio.one('restore-failure');
  await studio.press('Ctrl+a');
  await studio.type(join(backups, name ?? ''));
  await studio.press('Enter');
  // The window is loaded again, and says what was done.
  await studio.shows('toast', 'Restored the account database', { deadline: 60_000 });
  await studio.run('Focus skill tree');
  await until(async () => (await isInTree(studio, 'desk-notes')) === 1, 'the skill of the backup in the tree');
  assert.equal((await machine.command.json('skill', 'deleted')).skills.length, 0);
}));

/** Goes on with Tab until the focus is on what reads `label`. @param {Studio} studio @param {string} label */
async function tabTo(studio, label) {
  const at = () =>
    studio.browser.execute(() => {
      const element = document.activeElement;
      return element instanceof HTMLElement ? (element.getAttribute('aria-label') ?? element.innerText.trim()) : '';
    });
  await until(async () => {
    await studio.press('Tab');
    return (await at()) === label;
  }, async () => `Tab to reach “${label}”, it is at “${await at()}”`, { every: 0 });
}

test('by keyboard only: a backup is made from the settings and restored from them', onMachine(async (machine) => {
  const backups = await machine.place('backups');
  await machine.command.json('skill', 'create', 'Desk notes', '--description', 'Keeps the notes of the desk.');
  const studio = await machine.start();
  await studio.press('Ctrl+,');
  await tabTo(studio, 'Appearance');
  await studio.press('End');
  await tabTo(studio, 'Back up…');
  await studio.press('Enter');
  await choose(studio, backups);
  await studio.shows('toast', 'Backed up the account database');
  await studio.noDialog();
  await machine.command.json('skill', 'delete', 'desk-notes');
  const [name] = await readdir(backups);

  // The focus is back where it was.
  await tabTo(studio, 'Restore from backup…');
  await studio.press('Enter');
  await studio.focused('restore-path');
  await studio.type(join(backups, name ?? ''));
  await tabTo(studio, 'Restore');
  await studio.press('Enter');
  await studio.shows('toast', 'Restored the account database', { deadline: 60_000 });
  await until(async () => (await machine.command.json('skill', 'deleted')).skills.length === 0, 'the deleted skill to be back');
}));

test('all skills are exported from the settings', onMachine(async (machine) => {
  const out = await machine.place('out');
  const studio = await machine.start();
  await studio.run('Show data locations');
  await studio.button('Export all skills…');
  await studio.shows('export-summary', 'skills');
  await studio.button('Enter a path…', '[data-testid="export-skills"]');
  await choose(studio, out);
  await studio.shows('toast', 'Exported');
  const shipped = (await machine.command.json('skill', 'list')).skills.map((/** @type {{ slug: string }} */ one) => one.slug).sort();
  assert.deepEqual((await readdir(out)).sort(), shipped);
}));

test('the settings list skills and workspaces: off and on, trusted and forgotten', onMachine(async (machine) => {
  const notes = await machine.place('notes');
  const studio = await machine.start();
  await studio.run('Manage skills');
  await studio.one('settings-skill-preview');
  const filter = await studio.one('settings-skill-filter');
  await filter.click();
  await studio.type('link auditor');
  await until(async () => (await studio.count('[data-testid="settings-skill"]')) === 1, 'the one that matches');
  await studio.press('Down');
  await studio.press(' ');
  await studio.shows('toast', 'Disabled');
  await until(async () => (await studio.count('[data-testid="settings-skill"][data-enabled="false"]')) === 1, 'the skill to be off');
  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await studio.count('[data-testid="settings-skill"][data-enabled="true"]')) === 1, 'the skill to be on again');
  await studio.clearToasts();

  await studio.run('Open folder');
  await choose(studio, notes);
  await studio.noDialog();
  await studio.run('Manage workspaces');
  await studio.one('workspace', '[data-name="notes"][data-trusted="false"]');
  await studio.button('Trust notes');
  await studio.one('workspace', '[data-name="notes"][data-trusted="true"]');
  assert.equal((await machine.command.json('workspace', 'list')).workspaces[0].trusted, true);
  await studio.button('Revoke trust in notes');
  await studio.one('workspace', '[data-name="notes"][data-trusted="false"]');
  await studio.run('Close folder');
  await studio.run('Manage workspaces');
  await studio.clearToasts();
  await studio.button('Remove notes from the list');
  await studio.one('workspaces-empty');
  await studio.button('Undo', '[data-testid="toast"]');
  await studio.one('workspace', '[data-name="notes"]');
}));
