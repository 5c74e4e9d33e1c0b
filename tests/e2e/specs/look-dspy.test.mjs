import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */

const THINGS = ['the sky', 'the sea', 'a sapphire', 'a cornflower', 'ink', 'denim', 'a peacock', 'a blueberry'];
const PROGRAM = `{
  "template_id": "chain_of_thought",
  "signature": "question: str, context: list[str] -> answer: str",
  "instructions": "Name the colour that most people would name. One word, no shade."
}
`;
/** Answers in so many milliseconds. @param {number} delay */
const answers = (delay) => [
  // Whoever is shown how to do it does it right.
  { when: { anywhere: 'Most people say blue.' }, repeat: 0, then: { reply: { text: COLOUR, delay_ms: delay, usage: { input: 402, output: 22 } } } },
  { when: { user: 'peacock' }, repeat: 0, then: { reply: { text: COLOUR.replace('\nblue\n', '\ngreen\n'), delay_ms: delay, usage: { input: 231, output: 24 } } } },
  { repeat: 0, then: { reply: { text: COLOUR, delay_ms: delay, usage: { input: 228, output: 22 } } } },
];
const COLOUR = '[[ ## reasoning ## ]]\nMost people say blue.\n\n[[ ## answer ## ]]\nblue\n\n[[ ## completed ## ]]';
const STEPS = answers(150);
/** As long as pictures take. */
const SLOW = answers(5_000);

/** A skill with two programs, of which one was compiled with another DSPy version, and a model. @param {Machine} machine @param {Model} model */
async function colours(machine, model) {
  const folder = join(await machine.place('skills'), 'colours');
  await mkdir(join(folder, 'dspy'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: colours\ndescription: Names the colour of a thing. Use it when someone asks what colour something has.\n---\n\nName one colour.\n');
  await writeFile(join(folder, 'dspy/colour.json'), PROGRAM);
  await writeFile(join(folder, 'dspy/older.json'), PROGRAM);
  await writeFile(join(folder, 'dspy/older.state.json'), JSON.stringify({ dspy: '3.1.0', template_id: 'chain_of_thought', state: { 'predict.predict': { demos: [{ question: 'grass', context: ['It grows.'], reasoning: 'Grass is green.', answer: 'green' }], signature: { instructions: 'Name a colour.', fields: [] }, lm: null } } }));
  const module = (/** @type {string} */ name, /** @type {number} */ ordinal, more = {}) => ({ path: `dspy/${name.toLowerCase()}.json`, kind: 'dspy_module', name, ordinal, ...more });
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: 'SKILL.md', kind: 'description', name: 'Overview', ordinal: 0 }, module('Colour', 1), module('Older', 2, { state: 'dspy/older.state.json' })] }));
  await machine.command.json('import', folder);
  await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
}

test('pictures of a DSPy program', onMachine(async (machine) => {
  const model = await Model.start(...STEPS);
  try {
    await colours(machine, model);
    const studio = await machine.start();
    // At the start already: which version ships is known without the process.
    await studio.shows('toast', /another DSPy version/);
    await studio.pictures('outdated-toast', { toasts: true });
    await studio.clearToasts();
    await studio.run('Show proposals');
    await studio.one('proposals-empty');
    await studio.pictures('proposals-empty');
    await studio.run('Show editor');

    await studio.openTab('colours', 'dspy/colour.json');
    await studio.shows('templates', 'Best of N');
    await studio.pictures('program');
    await (await studio.find('[data-side="inputs"] [data-name="context"] .name')).click();
    await studio.press('Ctrl+A');
    await studio.type('question');
    await (await studio.find('[data-testid="templates"] input[value="best_of_n"]')).click();
    await studio.one('program-parameters');
    await studio.pictures('program-problem');
    await studio.run('Discard unsaved changes');
    await studio.clearToasts();

    await studio.button('Run', '[data-testid="inspector"]');
    await (await studio.find('[data-testid="run-panel"] [data-variable="question"]')).click();
    await studio.paste('What colour is the sky?');
    await studio.button('Add item', '[data-testid="run-panel"]');
    await studio.paste('It is noon.');
    await studio.press('Ctrl+Enter');
    await studio.one('run-result', '[data-status="ok"]');
    await studio.pictures('program-run');
  } finally {
    await model.end();
  }
}));

test('pictures of the optimization of a DSPy program', onMachine(async (machine) => {
  const model = await Model.start(...STEPS);
  try {
    await colours(machine, model);
    const studio = await machine.start();
    await studio.openTab('colours', 'dspy/colour.json');
    await studio.shows('templates', 'Best of N');
    await studio.run('Optimize DSPy module');
    await studio.button('Pasted lines', '[data-testid="optimize-panel"]');
    await (await studio.one('examples-lines')).click();
    await studio.paste([...THINGS.map((thing) => JSON.stringify({ question: `What colour is ${thing}?`, context: ['Noon.'], answer: 'blue' })), '{"question": "And this?"}'].join('\n'));
    await studio.shows('examples-found', /8 examples/);
    await studio.pictures('optimize');
    await (await studio.one('optimize-minutes')).click();
    await studio.pictures('optimize-limits');
    const optimizer = await studio.one('optimizer');
    // The last picture was scrolled to the end of the form.
    await optimizer.scrollIntoView({ block: 'center' });
    await optimizer.selectByVisibleText('Bootstrap few-shot with random search');
    await studio.shows('optimize-problem', /creates a proposal/);
    await (await studio.one('optimize-start')).click();
    await studio.one('scores');
    await model.script(...SLOW);
    await studio.pictures('optimizing');
    assert.equal(await studio.count('[data-testid="search"][data-state="running"]'), 1, 'it goes on in its pictures');
    await model.script(...STEPS);
    await studio.one('search', '[data-proposal]');
    await studio.pictures('optimized');
    await studio.button('Review proposal');
    await studio.one('predictor-change');
    await studio.pictures('proposals');
    await studio.run('Accept proposal');
    await studio.one('decide');
    await studio.pictures('proposal-accept');
    await studio.press('Ctrl+Enter');
    await studio.one('proposal', '[data-status="accepted"]');
    await studio.run('Show editor');
    await studio.openTab('colours', 'dspy/older.state.json');
    await studio.one('state-view');
    await studio.pictures('program-state');
    const state = JSON.parse(await machine.command.read('colours', 'dspy/colour.state.json'));
    await machine.command.write('colours', 'dspy/colour.state.json', JSON.stringify({ ...state, dspy: '3.1.0' }));
    await studio.run('Show DSPy status');
    await studio.one('again-cost');
    await studio.clearToasts();
    await studio.pictures('settings-dspy');
    await studio.button('Re-optimize');
    await studio.shows('again-usage', / in, /);
    await model.script(...SLOW);
    await studio.pictures('optimizing-again');
    assert.equal(await studio.count('[data-testid="dspy-again"] [data-testid="progress"]'), 1, 'it goes on in its pictures');
    await model.script(...STEPS);
    await studio.shows('dspy-again', /proposal|No better state/);
    await studio.pictures('optimized-again');
    await studio.clearToasts();

    // What says the same whatever it is shown gets no better.
    await studio.run('Show editor');
    await studio.openTab('colours', 'dspy/older.json');
    await studio.run('Optimize DSPy module');
    await studio.button('Pasted lines', '[data-testid="optimize-panel"]');
    await (await studio.one('examples-lines')).click();
    await studio.paste(THINGS.slice(0, 5).map((thing) => JSON.stringify({ question: `What colour is ${thing}?`, context: ['Noon.'], answer: 'blue' })).join('\n'));
    await (await studio.one('optimizer')).selectByAttribute('value', 'labeled_few_shot');
    await studio.shows('optimize-problem', /creates a proposal/);
    await (await studio.one('optimize-start')).click();
    await studio.one('not-better');
    await studio.pictures('not-better');
    await studio.button('Review proposal');
    await studio.one('not-better');
    await studio.pictures('proposals-not-better');
  } finally {
    await model.end();
  }
}));
