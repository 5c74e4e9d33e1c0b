import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @param {string} status */
const copyWith = (status) => `[data-testid="deployed-copy"][data-slug="desk-notes"][data-status="${status}"]`;

test('a skill is deployed to an agent, and the edits of its copy come back', onMachine(async (machine) => {
  const folder = join(await machine.place('user'), '.claude/skills');
  await mkdir(folder, { recursive: true });
  await machine.command.json('skill', 'create', 'Desk notes', '--description', 'Keeps the notes of the desk.', '--scope', 'account');
  const studio = await machine.start();
  await studio.run('Show library');
  await studio.one('library-foot');
  await studio.press('Ctrl+F');
  await studio.type('desk');
  await until(async () => (await studio.count('[data-testid="library"] [data-slug="desk-notes"], [data-slug="desk-notes"]')) > 0, 'the skill');
  await studio.press('Down');
  await studio.press('Ctrl+a');
  await studio.shows('library-selected', '1 of 1 selected');
  await studio.button('Deploy', '[data-testid="library-foot"]');
  await studio.shows('deploy-summary', '1 copy will be written');
  await studio.pictures('deploy');
  await studio.button('Deploy', '[data-testid="deploy-skills"] footer');
  await studio.shows('deploy-summary', '1 copy written');
  await studio.button('Done', '[data-testid="deploy-skills"]');
  await studio.absent('deploy-skills');
  const file = join(folder, 'desk-notes/SKILL.md');
  const deployed = await readFile(file, 'utf8');
  assert.match(deployed, /^---\n/);

  await writeFile(file, `${deployed}\nWritten by the agent.\n`);
  await (await studio.one('activity-settings')).click();
  await (await studio.find('[data-testid="settings"] [data-value="targets"]')).click();
  await studio.find(copyWith('drift'));
  await studio.pictures('targets');
  await studio.button('Show changes', copyWith('drift'));
  await studio.find('[data-testid="copy-review"] [data-testid="three-sides"] .cm-content');
  await studio.pictures('copy-review');
  await studio.button('Update skill from copy', '[data-testid="copy-review"]');
  await studio.find(copyWith('unchanged'));
  assert.equal(await machine.command.read('desk-notes', 'SKILL.md'), `${deployed}\nWritten by the agent.\n`);
  assert.equal(await readFile(file, 'utf8'), `${deployed}\nWritten by the agent.\n`);

  const follows = await studio.find(`${copyWith('unchanged')} input[type="checkbox"]`);
  await studio.click(follows);
  await until(async () => (await follows.isEnabled()) && (await follows.isSelected()), 'the copy to follow its skill');
  await machine.command.write('desk-notes', 'notes.md', 'New.\n');
  await until(async () => (await readFile(join(folder, 'desk-notes/notes.md'), 'utf8').catch(() => '')) === 'New.\n', 'the new file in the copy');

  await (await studio.one('activity-skills')).click();
  await studio.open('desk-notes', 'SKILL.md');
  await studio.run('Add skill to kit');
  await studio.find('[data-testid="kit"] input[name="kit"]:focus');
  await studio.paste('Desk');
  await studio.press('Enter');
  await studio.absent('kit');
  assert.deepEqual((await machine.command.json('kit', 'list')).kits, [{ name: 'Desk', skills: ['desk-notes'] }]);
  await (await studio.one('activity-settings')).click();
  await studio.find('[data-testid="kit"][data-name="Desk"]');
  await studio.pictures('kits');
}));
