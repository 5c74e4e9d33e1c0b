import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const QUOTED = '"Checks a page. Use when: someone asks for it"';
const UNQUOTED_COLON = '---\nname: SLUG\ndescription: Checks a page. Use when: someone asks for it\n---\n\nCheck it.\n';

const menuItems = '[data-testid="menu"] [role="menuitem"]';

/** Takes the item of the open menu that has these words. @param {Studio} studio @param {string} words */
async function take(studio, words) {
  await until(async () => (await studio.allWords(menuItems)).some((one) => one.includes(words)), async () => `"${words}" in the menu, which has: ${(await studio.allWords(menuItems)).join(' | ')}`);
  const at = (await studio.allWords(menuItems)).findIndex((one) => one.includes(words));
  const items = await studio.browser.$$(menuItems).getElements();
  const item = items[at];
  assert.ok(item);
  await studio.click(item);
  await studio.absent('menu');
}

/** @param {Studio} studio */
async function showProblems(studio) {
  if ((await studio.count('[data-testid="problems"]')) === 0) await studio.run('Toggle problems');
  await studio.one('problems');
}

test('the problems of a skill that nobody opened are listed, and fixed from the list', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  await machine.command.write(skill, 'SKILL.md', UNQUOTED_COLON.replace('SLUG', skill));
  const studio = await machine.start();
  await showProblems(studio);
  await studio.shows('problem', /unquoted-colon/);
  assert.equal(await studio.count('[data-testid="tab"]'), 0, 'no file was opened for it');

  // By keyboard: to the finding, and what can be done about it.
  await (await studio.one('problems-tree')).click();
  await studio.press('End');
  await until(async () => (await studio.count('[data-testid="problem"][aria-selected="true"]')) === 1, 'a problem to be chosen');
  while ((await studio.count('[data-rule="frontmatter/unquoted-colon"][aria-selected="true"]')) === 0) await studio.press('Up');
  await studio.press('Ctrl+.');
  await take(studio, 'Quote the value');

  await studio.one('editor', '[data-path="SKILL.md"]');
  await until(async () => (await studio.text()).includes(QUOTED), 'the value in quotes');
  await until(async () => (await studio.count('[data-rule="frontmatter/unquoted-colon"]')) === 0, 'the problem to be gone');
  // One step back is the text as it was.
  await studio.edit();
  await studio.press('Ctrl+Z');
  await until(async () => !(await studio.text()).includes(QUOTED), 'the text as it was');
  await studio.shows('problem', /unquoted-colon/);
}));

test('a problem that comes from elsewhere appears and goes', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const before = await machine.command.read(skill, 'SKILL.md');
  const studio = await machine.start();
  await showProblems(studio);
  await studio.shows('problems', /No problems found|\d problems?/);
  assert.equal(await studio.count('[data-rule="frontmatter/unquoted-colon"]'), 0);
  await machine.command.write(skill, 'SKILL.md', UNQUOTED_COLON.replace('SLUG', skill));
  await studio.shows('problem', /unquoted-colon/);
  await machine.command.write(skill, 'SKILL.md', before);
  await until(async () => (await studio.count('[data-rule="frontmatter/unquoted-colon"]')) === 0, 'the problem to be gone');
}));

test('a quick fix is offered at the cursor, and the page of its rule', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(skill, 'prompts/check-prompt.j2');
  await studio.rewrite('{{ entity_name | uper }}\n');
  await studio.find('[data-testid="editor"] .cm-lintRange-error');
  await studio.press('Ctrl+Home');
  await studio.press('Ctrl+.');
  await take(studio, 'upper');
  await until(async () => (await studio.text()).includes('{{ entity_name | upper }}'), 'the filter that was meant');
  await until(async () => (await studio.count('[data-testid="editor"] .cm-lintRange-error')) === 0, 'the mark to go');

  await studio.press('Ctrl+Z');
  await studio.find('[data-testid="editor"] .cm-lintRange-error');
  await studio.press('Ctrl+.');
  await take(studio, 'About template/unknown-filter');
  await studio.one('help-article', '[data-page="rules"]');
  await studio.shows('help-article', /template\/unknown-filter/);
}));
