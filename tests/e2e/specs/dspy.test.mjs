import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const MODULE = 'dspy/colour.json';
const PROGRAM = '{\n  "template_id": "predict",\n  "signature": "question -> answer",\n  "own": 1.0\n}\n';
const ANSWER = '[[ ## answer ## ]]\nblue\n\n[[ ## completed ## ]]';
const LINES = ['the sky', 'the sea', 'a sapphire', 'a cornflower', 'ink', 'denim'].map((question) => JSON.stringify({ question, answer: 'blue' }));

/**
 * A skill with one program, its model answering the same each time.
 * @param {(machine: Machine, studio: Studio, model: Model) => Promise<void>} test
 * @param {{ answer?: string, program?: string, state?: object }} [options]
 */
function withProgram(test, { answer = ANSWER, program = PROGRAM, state } = {}) {
  return onMachine(async (machine) => {
    const model = await Model.start({ repeat: 0, then: { reply: { text: answer, usage: { input: 120, output: 9 } } } });
    try {
      const folder = join(await machine.place('skills'), 'colours');
      await mkdir(join(folder, 'dspy'), { recursive: true });
      await writeFile(join(folder, 'SKILL.md'), '---\nname: colours\ndescription: Names the colour of a thing. Use it when someone asks what colour something has.\n---\n\nName one colour.\n');
      await writeFile(join(folder, MODULE), program);
      if (state) await writeFile(join(folder, 'dspy/colour.state.json'), JSON.stringify(state));
      const artifact = { path: MODULE, kind: 'dspy_module', name: 'Colour', ordinal: 1, metadata: { outputs: ['answer'] }, ...(state ? { state: 'dspy/colour.state.json' } : {}) };
      await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: 'SKILL.md', kind: 'description', name: 'Overview', ordinal: 0 }, artifact] }));
      await machine.command.json('import', folder);
      await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
      const studio = await machine.start();
      await studio.openTab('colours', MODULE);
      await studio.one('program-form');
      await test(machine, studio, model);
    } finally {
      await model.end();
    }
  });
}

/** The program as the editor has it. @param {Studio} studio */
async function json(studio) {
  await studio.run('Toggle form and JSON');
  await studio.find('[data-testid="editor"] .cm-content');
  const text = await studio.text();
  await studio.run('Toggle form and JSON');
  await studio.one('program-form');
  return text;
}

/** Starts once the process and the examples are there. @param {Studio} studio */
async function startOptimizing(studio) {
  await studio.shows('optimize-problem', /creates a proposal/);
  await (await studio.one('optimize-start')).click();
}

test('the form edits the JSON, keeps the rest of it, and undoes in the same history', withProgram(async (machine, studio) => {
  await studio.shows('templates', 'Chain of thought');
  await studio.button('Add input');
  await until(() => studio.browser.execute(() => document.activeElement?.getAttribute('aria-label') === 'Input 2, name'), 'the new field');
  await studio.type('context');
  await (await studio.find('[data-side="inputs"] [data-name="context"] select')).selectByVisibleText('list[str]');
  await until(async () => (await (await studio.one('signature-line')).getValue()) === 'question: str, context: list[str] -> answer: str', 'the signature');
  assert.equal(await json(studio), PROGRAM.replace('question -> answer', 'question: str, context: list[str] -> answer: str').trimEnd() + '\n');
  await studio.unsaved(true);

  // A name that Python keeps is refused where it stands, and by the check.
  await (await studio.find('[data-side="inputs"] [data-name="context"] .name')).click();
  await studio.press('Ctrl+A');
  await studio.type('class');
  await studio.shows('signature-field', /reserved Python keyword/);
  await studio.press('Ctrl+Z');
  await studio.press('Ctrl+Z');
  await until(async () => !(await (await studio.one('signature-line')).getValue()).includes('class'), 'the name undone');
  for (let step = 0; step < 20 && !(await json(studio)).includes('"question -> answer"'); step++) await studio.run('Toggle form and JSON').then(() => studio.edit()).then(() => studio.press('Ctrl+Z')).then(() => studio.run('Toggle form and JSON'));
  assert.equal(await json(studio), PROGRAM);
  await studio.unsaved(false);

  // What is written as JSON is in the form.
  await studio.run('Toggle form and JSON');
  await studio.rewrite(PROGRAM.replace('predict', 'best_of_n'));
  await studio.run('Toggle form and JSON');
  await studio.shows('program-parameters', /Maximum number of attempts/);
  await (await studio.find('[data-field="n"] input')).click();
  await studio.type('99');
  await studio.shows('program-parameters', /whole number from 1 to 16/);
  await studio.press('Ctrl+A');
  await studio.type('5');
  await studio.press('Ctrl+S');
  await studio.unsaved(false);
  assert.match(await machine.command.read('colours', MODULE), /"parameters": \{\s*"n": 5\s*\}/);
}));

test('a program runs in its process, which the status bar shows', withProgram(async (_, studio) => {
  await studio.button('Run', '[data-testid="inspector"]');
  await (await studio.find('[data-testid="run-panel"] [data-variable="question"]')).click();
  await studio.paste('What colour is the sky?');
  await studio.press('Ctrl+Enter');
  await studio.one('run-result', '[data-status="ok"]');
  await studio.shows('run-output', /"answer": "blue"/);
  await studio.one('status-dspy', '[data-state="ready"]');
  await (await studio.one('status-dspy')).click();
  await studio.shows('dspy-status', /Ready: DSPy \d+\.\d+\.\d+, process \d+/);
  await studio.shows('dspy-again', /All programs are up to date with DSPy/);
}));

test('an optimization proposes; accepting makes a revision that can be rolled back', withProgram(async (machine, studio) => {
  const before = await machine.command.revision('colours');
  await studio.button('Optimize…');
  await studio.one('optimize-panel');
  await studio.button('Pasted lines', '[data-testid="optimize-panel"]');
  await (await studio.one('examples-lines')).click();
  await studio.paste([...LINES, 'nonsense'].join('\n'));
  await studio.shows('examples-found', /6 examples: 4 training, 2 validation/);
  await studio.shows('examples-problems', /Line 7: skipped: not valid JSON/);
  await (await studio.one('optimizer')).selectByVisibleText('Bootstrap few-shot');
  await startOptimizing(studio);
  await studio.one('search', '[data-proposal]');
  await studio.shows('search-proposal', /Training[\s\S]*→ 1\.00/);
  await studio.shows('search-usage', /in, .*out/);
  await studio.shows('proposals-badge', '1');

  await studio.button('Review proposal');
  await studio.one('proposal', '[data-status="open"]');
  await studio.shows('predictor-change', /new/);
  await studio.one('demo', '[data-change="added"]');
  await studio.press('Ctrl+Alt+Enter');
  await studio.one('decide');
  await studio.type('better');
  await studio.press('Ctrl+Enter');
  await studio.absent('decide');
  await studio.one('proposal', '[data-status="accepted"]');
  await studio.absent('proposals-badge');
  assert.equal(await machine.command.revision('colours'), before + 1);
  assert.match(await machine.command.read('colours', 'dspy/colour.state.json'), /"demos"/);

  await studio.button('Show history');
  await studio.shows('revision', /optimized Colour by bootstrap_few_shot/);
  await studio.shows('program-state', /Compiled with DSPy/);
  await (await studio.find(`[data-testid="revision"][data-number="${before}"] .words`)).click();
  await studio.button('Roll back skill');
  await until(async () => (await machine.command.revision('colours')) === before + 2, 'the roll-back');
  await studio.absent('program-state');
  await studio.button('Optimize…');
}));

test('an optimization can be stopped, and proposes nothing then', withProgram(async (_, studio, model) => {
  await model.script({ repeat: 0, then: { reply: { text: ANSWER, delay_ms: 60_000 } } });
  await studio.button('Optimize…');
  await studio.button('Pasted lines', '[data-testid="optimize-panel"]');
  await (await studio.one('examples-lines')).click();
  await studio.paste(LINES.join('\n'));
  await startOptimizing(studio);
  await studio.one('search', '[data-state="running"]');
  await until(async () => (await model.asked()).length > 0, 'a question to the model');
  // Seen by the page itself: asking the driver takes longer than what is measured.
  await studio.browser.execute(() => {
    const seen = /** @type {Record<string, number>} */ ({});
    const note = (/** @type {string | null} */ what) => {
      if (what !== null) seen[what] ??= performance.now();
      document.body.dataset.seen = JSON.stringify(seen);
    };
    document.addEventListener('click', () => note('clicked'), { capture: true, once: true });
    const search = document.querySelector('[data-testid="search"]');
    if (search) new MutationObserver(() => note(search.getAttribute('data-state'))).observe(search, { attributes: true, attributeFilter: ['data-state'] });
  });
  await (await studio.one('optimize-stop')).click();
  await studio.one('search', '[data-state="ended"]');
  const seen = await studio.browser.execute(() => JSON.parse(document.body.dataset.seen ?? '{}'));
  const [acknowledged, ended] = [seen.canceling - seen.clicked, seen.ended - seen.clicked];
  console.log(`stopping an optimization: acknowledged after ${acknowledged.toFixed(0)} ms, ended after ${ended.toFixed(0)} ms`);
  // Within a second where nothing else is going on.
  assert.ok(acknowledged < 1_000, `acknowledged after ${acknowledged} ms`);
  assert.ok(ended < 4_000, `ended after ${ended} ms`);
  assert.equal(await studio.count('[data-testid="proposals-badge"]'), 0);
  await studio.button('Edit and try again');
  await studio.one('optimize-start');
}));

test('a limit of cost that can’t be kept is refused with what to do; what finds nothing better says so', withProgram(async (machine, studio, model) => {
  await studio.button('Optimize…');
  await studio.button('Pasted lines', '[data-testid="optimize-panel"]');
  await (await studio.one('examples-lines')).click();
  await studio.paste(LINES.join('\n'));
  await (await studio.one('optimizer')).selectByAttribute('value', 'labeled_few_shot');
  await (await studio.one('optimize-cost')).click();
  await studio.type('0.50');
  await (await studio.one('optimize-minutes')).click();
  await studio.type('x');
  await studio.shows('optimize-panel', /whole number from 1 to 10,000/);
  await studio.press('Ctrl+A');
  await studio.type('30');
  await startOptimizing(studio);
  await studio.shows('run-error', /price of .* is unknown[\s\S]*Set the price/);
  assert.deepEqual(await model.asked(), []);
  await studio.button('Edit and try again');
  await (await studio.one('optimize-cost')).click();
  await studio.press('Ctrl+A');
  await studio.press('Backspace');

  // The model says the same whatever it is shown: what is proposed is other, and no better.
  await startOptimizing(studio);
  await studio.one('search', '[data-proposal]');
  await studio.shows('not-better', 'No improvement on the validation set.');
  await studio.button('Review proposal');
  await studio.shows('proposal-row', /No improvement on the validation set/);
  await studio.shows('proposal', /Limits\s+30 min/);
  await studio.run('Accept proposal');
  await studio.one('decide');
  await studio.press('Ctrl+Enter');
  await studio.absent('decide');
  await studio.one('proposal', '[data-status="accepted"]');
  await studio.run('Show editor');
  await studio.button('Optimize again');
  await startOptimizing(studio);
  await studio.shows('search-nothing', /No better state found/);
  await studio.button('Edit and try again');

  // As if another version of DSPy had made it.
  const state = JSON.parse(await machine.command.read('colours', 'dspy/colour.state.json'));
  await machine.command.write('colours', 'dspy/colour.state.json', JSON.stringify({ ...state, dspy: '3.1.0' }));
  await model.script({ repeat: 0, then: { reply: { text: ANSWER, delay_ms: 1_500, usage: { input: 120, output: 9 } } } });
  await studio.run('Show DSPy status');
  await studio.shows('outdated', /1 program was compiled/);
  await (await studio.one('again-cost')).click();
  await studio.type('0');
  await studio.shows('dspy-again', /amount above 0/);
  await studio.press('Ctrl+A');
  await studio.type('1');
  await studio.button('Re-optimize');
  await studio.shows('dspy-again', /failed: .*price of .* is unknown\. Set the price/);
  await (await studio.one('again-cost')).click();
  await studio.press('Ctrl+A');
  await studio.press('Backspace');
  await studio.button('Re-optimize');
  await studio.shows('again-usage', /\d+ tokens in, \d+ out · cost unknown/);
  await studio.one('progress');
  await studio.shows('dspy-again', /no improvement on the validation set/i);
  await studio.button('Show proposals', '[data-testid="dspy-again"]');
  await studio.one('proposal', '[data-status="open"]');
}));

test('a proposal is rejected with the keyboard alone', withProgram(async (machine, studio) => {
  const before = await machine.command.revision('colours');
  await studio.run('Optimize DSPy module');
  await studio.button('Pasted lines', '[data-testid="optimize-panel"]');
  await (await studio.one('examples-lines')).click();
  await studio.paste(LINES.join('\n'));
  await (await studio.one('optimizer')).selectByAttribute('value', 'labeled_few_shot');
  await startOptimizing(studio);
  await studio.one('search', '[data-proposal]');
  await studio.run('Show proposals');
  await studio.one('proposal', '[data-status="open"]');
  await studio.run('Reject proposal');
  await studio.one('decide');
  await studio.type('not needed');
  await studio.press('Ctrl+Enter');
  await studio.one('proposal', '[data-status="rejected"]');
  await until(async () => (await studio.count('[data-testid="proposal-row"]')) === 0, 'the rejected proposal to leave the open ones');
  await studio.button('All', '[data-testid="proposals"]');
  await studio.one('proposal-row', '[data-status="rejected"]');
  assert.equal(await machine.command.revision('colours'), before);
}));

const STATE = { dspy: '3.1.0', template_id: 'predict', state: { predict: { demos: [{ question: 'grass', answer: 'green' }], signature: { instructions: 'Name a colour.', fields: [] }, lm: null } } };

test('a state is shown as cards, tells its version, and goes only when asked', withProgram(async (machine, studio) => {
  await studio.shows('program-state', /Compiled with DSPy 3\.1\.0/);
  await studio.shows('state-outdated', /re-optimizing with DSPy/);
  await studio.shows('toast', /1 program compiled with another DSPy version/);
  await studio.button('Review', '[data-testid="toast"]');
  await studio.shows('outdated', /1 program was compiled with another DSPy version/);
  await studio.run('Show editor');
  await studio.button('Open dspy/colour.state.json');
  await studio.one('state-view');
  await studio.shows('demo', /grass\s+answer\s+green/);
  await studio.button('Remove compiled state', '[data-testid="state-view"]');
  await studio.button('Cancel', '[data-testid="remove-state"]');
  await studio.run('Remove compiled state');
  await studio.button('Remove compiled state', '[data-testid="remove-state"]');
  await studio.shows('program-form', /None\. Optimize to find/);
  await until(async () => !(await machine.command.json('skill', 'show', 'colours')).entries.some((/** @type {{ path: string }} */ one) => one.path.endsWith('.state.json')), 'the state to be gone');
  await studio.button('Undo');
  await studio.shows('program-state', /3\.1\.0/);
  await studio.run('Show DSPy status');
  await studio.shows('outdated', /1 program was compiled with another DSPy version/);
}, { state: STATE }));
