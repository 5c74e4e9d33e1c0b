import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

/** Types the folder that is asked for. @param {Studio} studio @param {string} folder */
async function into(studio, folder) {
  await studio.button('Enter a path…', '[data-testid="export-skills"]');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await studio.press('Enter');
}

test('by keyboard: a form is looked at, and what it has no place for is said before it is written', onMachine(async (machine) => {
  const out = await machine.place('out');
  const studio = await machine.start();
  await studio.open('consistency-checker', 'SKILL.md');
  await studio.run('Export skill');
  await studio.shows('export-summary', /\d+ files/);
  // From the folder down to the Markdown file.
  const down = async (/** @type {string} */ form) => {
    await studio.press('Down');
    await studio.find(`[data-testid="export-skills"] input[value="${form}"]:checked`);
  };
  await down('skill');
  await down('json');
  await studio.press('Tab');
  await studio.press('Enter');
  await studio.find('[data-testid="export-others"] button[aria-expanded="true"]');
  await studio.press('Shift+Tab');
  await down('claude-skill');
  await down('markdown');
  await studio.shows('export-note', /can.t include .*prompts\/check-prompt\.j2/);
  await studio.shows('export-summary', /1 file will be exported$/);
  await into(studio, out);
  await studio.shows('toast', `Exported consistency-checker to ${join(out, 'consistency-checker.md')}`);
  await studio.absent('export-skills');
  assert.deepEqual(await readdir(out), ['consistency-checker.md']);
  assert.match(await readFile(join(out, 'consistency-checker.md'), 'utf8'), /^---\n/);
}));

test('what is in the way stays until it is replaced, and a manifest keeps its skill', onMachine(async (machine) => {
  const out = await machine.place('out');
  const own = await machine.command.fork('consistency-checker');
  const manifest = { version: 1, interop: { exportFormats: ['amble'] } };
  await machine.command.write(own, 'skill.json', JSON.stringify({ ...JSON.parse(await machine.command.read(own, 'skill.json')), metadata: { manifest } }));
  await mkdir(join(out, own), { recursive: true });
  await writeFile(join(out, own, 'SKILL.md'), `---\nname: ${own}\ndescription: Was here before.\n---\n`);
  await writeFile(join(out, own, 'mine.txt'), 'mine');

  const studio = await machine.start();
  await studio.open(own, 'SKILL.md');
  await studio.edit();
  await studio.type('Not saved. ');
  await studio.run('Export skill');
  await studio.shows('export-note', '1 file with unsaved changes is exported as last saved');
  await studio.click(await studio.find('[data-testid="export-others"] button'));
  await studio.click(await studio.find('[data-testid="export-skills"] input[value="cowork"]'));
  await studio.shows('export-note', /doesn.t allow the format cowork/);
  assert.equal(await studio.count('[data-testid="export-skills"] button[type="submit"]:enabled'), 0);
  await studio.click(await studio.find('[data-testid="export-skills"] input[value="folder"]'));
  await into(studio, out);
  await studio.shows('export-summary', /Nothing was exported/);
  assert.equal(await readFile(join(out, own, 'mine.txt'), 'utf8'), 'mine');
  assert.match(await readFile(join(out, own, 'SKILL.md'), 'utf8'), /Was here before/);
  await studio.button('Replace existing files', '[data-testid="export-skills"]');
  await studio.shows('toast', `Exported ${own} to`);
  await studio.absent('export-skills');
  assert.doesNotMatch(await readFile(join(out, own, 'SKILL.md'), 'utf8'), /Was here before/);
}));

test('pictures of an export', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.open('consistency-checker', 'SKILL.md');
  await studio.run('Export skill');
  await studio.shows('export-summary', /files/);
  await studio.pictures('export');
  await studio.click(await studio.find('[data-testid="export-others"] button'));
  await studio.click(await studio.find('[data-testid="export-skills"] input[value="cowork"]'));
  await studio.shows('export-note', /can.t include/);
  await studio.pictures('export-cowork');
}));
