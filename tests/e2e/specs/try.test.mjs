import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

/** @param {Studio} studio @param {string} message */
async function ask(studio, message) {
  await (await studio.find('[data-testid="try-message"] textarea')).click();
  await studio.press('Ctrl+A');
  await studio.paste(message);
}

/** @param {Studio} studio @param {string} list @param {string} slug */
const stands = (studio, list, slug) => studio.find(`[aria-label="${list}"] [data-skill="${slug}"]`);

test('a message shows which skills fit, and why others don’t', onMachine(async (machine) => {
  await machine.command.json('skill', 'create', 'Tea Maker', '--description', 'Brews hot drinks. Use it when somebody is thirsty.');
  const studio = await machine.start();
  await studio.run('Try a message');
  await studio.one('try-message');
  await studio.paste('Which links in my notes are broken?');
  await stands(studio, 'Skills that fit', 'workspace-link-auditor');
  await studio.find('[aria-label="Skills that were left out"] [data-skill]');
  await studio.pictures('try-message');
  await ask(studio, 'I would like a cup of something warm');
  await stands(studio, 'Skills that fit', 'tea-maker');
  await ask(studio, 'How many moons has Jupiter?');
  await studio.one('try-nothing');
  await machine.command.json('skill', 'set', 'tea-maker', '--description', 'Knows planets and their moons.');
  await ask(studio, 'How many moons has Saturn?');
  await stands(studio, 'Skills that fit', 'tea-maker');
  assert.match(await studio.words('[aria-label="Skills that fit"] [data-skill="tea-maker"]'), /Matches moons/);
  await studio.button('Open Tea Maker', '[data-testid="try-message"]');
  await studio.noDialog();
  await until(async () => (await studio.words('body')).includes('Governance'), 'the page of the skill');
}));
