import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Registry } from '../harness/registry.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const DIALOG = '[data-testid="publish"]';
const ID = 'skills.example.org';
const PROMPT = 'prompts/check-prompt.j2';

/** @param {string} slug @param {string} state */
const planned = (slug, state) => `[data-testid="planned-skill"][data-slug="${slug}"][data-state="${state}"]`;

/** @param {Studio} studio @param {string} id */
const valueOf = (studio, id) =>
  studio.browser.execute((wanted) => {
    const field = document.querySelector(`[data-testid="${wanted}"]`);
    return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : null;
  }, id);

/** Replaces the text of a field. @param {Studio} studio @param {string} id @param {string} text */
async function fill(studio, id, text) {
  await studio.click(await studio.one(id));
  await studio.focused(id);
  await studio.press('Ctrl+A');
  await studio.paste(text);
  await until(async () => (await valueOf(studio, id)) === text, async () => `${text} in ${id}, which has ${await valueOf(studio, id)}`);
}

/** Waits for a step of the dialog. @param {Studio} studio @param {string} step */
const onStep = (studio, step) => studio.one('publish-step', `[data-step="${step}"]`);

test('a registry is created, and a skill is published, edited and updated', onMachine(async (machine) => {
  const folder = join(machine.folder, 'registry');
  await machine.command.json('skill', 'create', 'Desk notes', '--description', 'Keeps the notes of the desk. Use it when somebody asks for them.', '--scope', 'account');
  const studio = await machine.start();
  await studio.open('desk-notes', 'SKILL.md');

  // The registry, by keyboard where that is shorter.
  await studio.run('Publish skills');
  await studio.focused('publish-folder');
  await studio.paste(folder);
  await studio.press('Enter');
  await studio.shows('publish-failure', /isn.t a registry/);
  await studio.pictures('publish-not-a-registry');
  await studio.button('Create a registry…', DIALOG);
  await studio.focused('registry-folder');
  assert.equal(await valueOf(studio, 'registry-folder'), folder);
  await fill(studio, 'registry-id', 'Not an ID');
  await fill(studio, 'registry-title', 'Example skills');
  await fill(studio, 'registry-publisher', 'Ada Books');
  await studio.press('Enter');
  await studio.shows('publish-failure', 'skills.example.org');
  assert.equal(await valueOf(studio, 'registry-title'), 'Example skills');
  await fill(studio, 'registry-id', ID);
  await studio.pictures('publish-create');
  await studio.press('Enter');
  await studio.shows('registry-created', 'Created Example skills');
  const keys = join(machine.home, 'registry-keys', ID);
  await studio.shows('registry-keys-folder', keys);
  await Promise.all(['root.key', 'snapshot.key', 'publisher.key'].map((name) => access(join(keys, name))));
  const shown = (await studio.words('[data-testid="publish-fingerprint"]')).replace(/\s/g, '');
  assert.equal(shown, (await machine.command.json('registry', 'status', folder)).fingerprint);
  await studio.pictures('publish-created');
  await studio.press('Enter');

  // The skill that is open is chosen; those that are locked aren't offered.
  await onStep(studio, 'skills');
  await studio.focused('publish-search');
  await studio.find('[data-testid="publish-skills"] input[data-slug="desk-notes"]:checked');
  assert.equal(await studio.count('[data-testid="publish-skills"] input[data-slug="consistency-checker"]'), 0);
  await studio.pictures('publish-skills');
  await studio.press('Enter');
  await studio.find(planned('desk-notes', 'new'));
  await studio.pictures('publish-new');
  const first = await valueOf(studio, 'publish-version');
  await studio.button('Publish 1 skill', DIALOG);
  await studio.shows('publish-result', 'Published 1 skill to Example skills');
  await studio.find(`[data-testid="released"][data-slug="desk-notes"][data-version="${first}"]`);
  await studio.shows('publish-result-folder', folder);
  await studio.pictures('publish-result');
  await studio.press('Enter');
  await studio.absent('publish');
  const verified = await machine.command.json('registry', 'verify', folder);
  assert.deepEqual([verified.skills, verified.versions], [1, 1]);

  // An edit here, and a file from elsewhere.
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('\nKeep them short.\n');
  await studio.save();
  await machine.command.write('desk-notes', 'references/tone.md', 'Plain words.\n');
  const next = (await machine.command.json('registry', 'plan', folder, 'desk-notes')).skills[0].next_version;
  assert.notEqual(next, first);

  // The registry that was used last is read already.
  await studio.run('Publish skills');
  await studio.one('publish-status');
  await studio.focused('publish-folder');
  assert.equal(await valueOf(studio, 'publish-folder'), folder);
  await studio.pictures('publish-registry');
  await studio.press('Enter');
  await onStep(studio, 'skills');
  await studio.focused('publish-search');
  await studio.press('Enter');
  await studio.find(planned('desk-notes', 'update'));
  assert.equal(await valueOf(studio, 'publish-version'), next);
  await studio.shows('publish-reason', /adds the file references\/tone\.md/i);
  await studio.click(await studio.find(`${planned('desk-notes', 'update')} button[aria-expanded="false"]`));
  await studio.find('[data-testid="publish-files"] [data-path="references/tone.md"][data-change="added"]');
  await studio.find('[data-testid="publish-files"] [data-path="SKILL.md"][data-change="modified"]');
  assert.match((await valueOf(studio, 'publish-changelog')) ?? '', /references\/tone\.md/);
  await studio.pictures('publish-update');

  await fill(studio, 'publish-version', '1');
  await studio.shows('version-note', /isn.t a semantic version/);
  assert.equal(await studio.count(`${DIALOG} footer button[type="submit"]:enabled`), 0);
  await studio.pictures('publish-invalid-version');
  await fill(studio, 'publish-version', next);
  await fill(studio, 'publish-changelog', '- Says how to write.');
  await studio.button('Publish 1 skill', DIALOG);
  await studio.find(`[data-testid="released"][data-version="${next}"]`);
  await studio.press('Escape');
  await studio.absent('publish');

  assert.equal((await machine.command.json('skill', 'show', 'desk-notes')).version, next);
  assert.match(await machine.command.read('desk-notes', 'CHANGELOG.md'), new RegExp(`## ${next.replaceAll('.', '\\.')} - [\\d-]+\\n\\n- Says how to write\\.`));
  const again = await machine.command.json('registry', 'verify', folder);
  assert.deepEqual([again.skills, again.versions], [1, 2]);
  assert.equal(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')).registry, ID);

  // Nothing changed since.
  await studio.run('Publish skills');
  await studio.one('publish-status');
  await studio.press('Enter');
  await studio.focused('publish-search');
  await studio.press('Enter');
  await studio.find(planned('desk-notes', 'unchanged'));
  await studio.shows('publish-obstacle', 'published already');
  await studio.pictures('publish-unchanged');
}));

test('a skill with an error is corrected, and published with the keys of another folder', onMachine(async (machine) => {
  const registry = await Registry.create(machine);
  const skill = await machine.command.fork('consistency-checker');
  const text = await machine.command.read(skill, PROMPT);
  await machine.command.write(skill, PROMPT, '{{ open\n');
  const studio = await machine.start();
  await studio.click(await studio.one('tree-item', `[data-skill="${skill}"][data-kind="skill"]`));
  // After a right click, the driver clicks on fields without the pointer, so that they don't get the focus.
  await studio.press('Shift+F10');
  await studio.button('Publish…', '[data-testid="menu"]');
  await studio.focused('publish-folder');
  await studio.paste(registry.folder);
  await studio.press('Enter');
  await studio.one('publish-status');
  await studio.press('Enter');
  await studio.focused('publish-search');
  await studio.press('Enter');
  await studio.find(planned(skill, 'blocked'));
  await studio.shows('publish-obstacle', /can.t be published/);
  assert.equal(await studio.count(`${DIALOG} footer button[type="submit"]:enabled`), 0);
  await studio.pictures('publish-blocked');

  await studio.click(await studio.find('[data-testid="publish-diagnostic"][data-severity="error"] button'));
  await studio.absent('publish');
  await studio.one('editor', `[data-path="${PROMPT}"]`);
  await studio.rewrite(text);
  await studio.save();
  await studio.run('Publish skills');
  await studio.find(planned(skill, 'new'));
  await studio.find('[data-testid="permissions"]');
  await studio.pictures('publish-permissions');

  // Its keys aren't in the account. What was typed stays.
  await fill(studio, 'publish-changelog', '- First version.');
  await studio.button('Publish 1 skill', DIALOG);
  await studio.shows('publish-failure', /key file/);
  assert.equal(await valueOf(studio, 'publish-changelog'), '- First version.');
  await studio.click(await studio.find('[data-testid="publish-options"] button[aria-expanded="false"]'));
  await fill(studio, 'publish-keys', registry.keys);
  await fill(studio, 'publish-days', '90');
  await studio.pictures('publish-failed');
  await studio.button('Publish 1 skill', DIALOG);
  await studio.shows('publish-result', 'Published 1 skill');
  await studio.button('Done', DIALOG);
  await studio.absent('publish');
  assert.equal((await machine.command.json('registry', 'verify', registry.folder)).versions, 1);
  const { expires } = await machine.command.json('registry', 'status', registry.folder);
  assert.ok(Date.parse(expires) > Date.now() + 80 * 24 * 3_600_000, expires);
}));
