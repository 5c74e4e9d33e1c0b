import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';

const ASK = 'Which colour has {{ thing }}? Answer as JSON.\n';

/**
 * A skill of which nothing but a prompt can run in a Studio without the DSPy process.
 * @param {string} folder
 * @param {object} metadata  of the program
 */
async function colours(folder, metadata) {
  await mkdir(join(folder, 'dspy'), { recursive: true });
  await mkdir(join(folder, 'prompts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: colours\ndescription: Names colours. Use it when someone asks what colour something has.\n---\n\nName one colour.\n');
  await writeFile(join(folder, 'dspy/answer.json'), '{"template_id": "predict", "signature": "thing -> colour"}\n');
  await writeFile(join(folder, 'prompts/ask.j2'), ASK);
  const artifacts = [
    { path: 'dspy/answer.json', kind: 'dspy_module', name: 'Answer', ordinal: 1, metadata },
    { path: 'prompts/ask.j2', kind: 'prompt_template', name: 'Ask', ordinal: 2 },
  ];
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts }));
}

test('without the DSPy process a skill runs by its fallback, and it is said', onMachine(async (machine) => {
  const model = await Model.start({ repeat: 0, then: { reply: { text: '{"colour": "blue"}', usage: { input: 120, output: 9 } } } });
  try {
    const folder = join(await machine.place('skills'), 'colours');
    await colours(folder, { fallback_artifact: 'Ask' });
    await machine.command.json('import', folder);
    await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
    const studio = await machine.start(await machine.studioAlone());
    await studio.openTab('colours', 'dspy/answer.json');
    await studio.button('Run', '[data-testid="inspector"]');
    await (await studio.find('[data-testid="run-panel"] [data-variable="thing"]')).click();
    await studio.paste('the sky');
    await studio.press('Ctrl+Enter');
    await studio.one('run-result', '[data-status="ok"]');
    await studio.shows('run-output', /"colour": "blue"/);
    assert.match((await model.asked())[0]?.body.messages.at(-1).content, /Which colour has the sky/);
    await studio.shows('stand-in', /Ask ran instead of Answer: .*reinstall the app\./);
    await studio.pictures('fallback');
    await studio.button('Open in Runs');
    await studio.one('execution', '[data-status="fallback"]');
    await studio.run('Show editor');

    await studio.button('DSPy settings', '[data-testid="stand-in"]');
    await studio.one('dspy-process', '[data-state="unavailable"]');
    await studio.shows('dspy-status', /can’t run: .*Reinstall the app|reinstall the app/);
    await studio.shows('dspy-process', /modules use their fallback prompts/);
    await studio.pictures('settings-dspy-gone');
    await studio.shows('status-bar', /DSPy unavailable/);
  } finally {
    await model.end();
  }
}));

test('without a fallback it is refused before anything is asked, with the way to the settings', onMachine(async (machine) => {
  const model = await Model.start({ repeat: 0, then: { reply: { text: 'blue' } } });
  try {
    const folder = join(await machine.place('skills'), 'colours');
    await colours(folder, {});
    await machine.command.json('import', folder);
    await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
    const studio = await machine.start(await machine.studioAlone());
    await studio.openTab('colours', 'dspy/answer.json');
    await studio.button('Run', '[data-testid="inspector"]');
    await (await studio.find('[data-testid="run-panel"] [data-variable="thing"]')).click();
    await studio.paste('the sky');
    await studio.press('Ctrl+Enter');
    await studio.one('run-error', '[data-code="notInstalled"]');
    await studio.shows('run-error', /reinstall the app/);
    assert.deepEqual(await model.asked(), []);
    await studio.button('DSPy settings', '[data-testid="run-error"]');
    await studio.one('dspy-process', '[data-state="unavailable"]');
  } finally {
    await model.end();
  }
}));
