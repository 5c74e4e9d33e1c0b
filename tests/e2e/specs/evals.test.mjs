import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const PROMPT = 'prompts/greet.j2';
const FILE = 'evals/evals.json';
const CASES = 8;
/** Requests with the skill have its word. */
const STEPS = [
  { when: { anywhere: 'TERSELY' }, repeat: 0, then: { reply: { text: 'bad' } } },
  { repeat: 0, then: { reply: { text: 'good' } } },
];

/** A model that is asked for better instructions proposes edits: the first one doesn't help, the second one does. */
const REWRITING = [
  ...[{ find: 'Answer TERSELY.', replace: 'Answer VERY tersely.' }, { find: '', replace: 'Say good.' }].map((edit) => ({
    when: { anywhere: 'You improve the instructions' },
    then: { reply: { text: JSON.stringify({ reason: 'asks for a good answer', edits: [edit] }) } },
  })),
  { when: { anywhere: 'Say good.' }, repeat: 0, then: { reply: { text: 'good' } } },
  { repeat: 0, then: { reply: { text: 'bad' } } },
];

/** A skill with cases that it makes worse, and trigger cases. @param {Machine} machine */
async function greeter(machine) {
  const folder = join(await machine.place('skills'), 'greeter');
  await mkdir(join(folder, 'prompts'), { recursive: true });
  await mkdir(join(folder, 'evals'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: greeter\ndescription: Greets a person by name. Use it when someone should be greeted.\n---\n\nAnswer TERSELY.\n');
  await writeFile(join(folder, PROMPT), 'Greet {{ name }} TERSELY.\n');
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: PROMPT, kind: 'prompt_template', name: 'Greet', ordinal: 1 }] }));
  const evals = Array.from({ length: CASES }, (_, index) => ({ id: index + 1, prompt: `Question ${index + 1}?`, tags: index < 2 ? ['short'] : [], assertions: [{ type: 'equals', value: 'good' }] }));
  await writeFile(join(folder, FILE), `${JSON.stringify({ skill_name: 'greeter', evals }, null, 2)}\n`);
  const triggers = [{ query: 'Someone should be greeted by name', should_trigger: true }, { query: 'Greet a person by name', should_trigger: true }, { query: 'Translate this contract', should_trigger: false }];
  await writeFile(join(folder, 'evals/triggers.json'), `${JSON.stringify(triggers, null, 2)}\n`);
  await machine.command.json('import', folder);
}

/**
 * The skill, and a model to ask.
 * @param {(machine: Machine, model: Model) => Promise<void>} run
 */
function withGreeter(run) {
  return onMachine(async (machine) => {
    const model = await Model.start(...STEPS);
    try {
      await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
      await greeter(machine);
      await run(machine, model);
    } finally {
      await model.end();
    }
  });
}

/** The cases of the file. @param {Machine} machine @returns {Promise<any[]>} */
const stored = async (machine) => JSON.parse((await machine.command.json('skill', 'show', 'greeter', '--path', FILE)).text).evals;

/** @param {Studio} studio @param {number} wanted */
const rows = (studio, wanted) => until(async () => (await studio.count('[data-testid="eval-case"]')) === wanted, async () => `${wanted} cases, not ${await studio.count('[data-testid="eval-case"]')}`);

/** Shows the evals of the skill by keyboard. @param {Studio} studio */
async function showEvals(studio) {
  await studio.press('Ctrl+Alt+E');
  await studio.shows('eval-skill', /greeter/i);
}

/** Runs what the dialog offers. @param {Studio} studio @param {RegExp} estimate */
async function runEvals(studio, estimate) {
  await studio.run('Run evals');
  await studio.one('eval-run-dialog');
  await studio.shows('eval-estimate', estimate);
  await studio.press('Ctrl+Enter');
  await studio.noDialog();
}

test('a run becomes a case, cases run with and without the skill, and a regression is found and opened, by keyboard', withGreeter(async (machine, model) => {
  const studio = await machine.start();
  await studio.shows('status-model', 'scripted/small');
  await studio.open('greeter', PROMPT);
  await studio.button('Run', '[data-testid="inspector"]');
  await (await studio.find('[data-testid="run-panel"] [data-variable="name"]')).click();
  await studio.paste('Aria');
  await studio.press('Ctrl+Enter');
  await studio.one('run-result', '[data-status="ok"]');
  await studio.button('Open in Runs');
  await studio.one('run-detail');
  await studio.button('Save as case', '[data-testid="run-detail"]');
  await studio.one('eval-save-case');
  await studio.type('From a run');
  await studio.press('Enter');
  await studio.noDialog();
  await studio.shows('toast', 'Saved a case of');
  const saved = (await stored(machine)).at(-1);
  assert.deepEqual([saved.name, saved.artifact, saved.input, saved.expected_output], ['From a run', PROMPT, { name: 'Aria' }, 'bad']);

  // The table is edited like a spreadsheet.
  await showEvals(studio);
  await rows(studio, CASES + 4);
  await (await studio.find('[data-testid="eval-case"] [data-column="name"]')).click();
  for (let row = 0; row < CASES; row++) await studio.press('Down');
  for (let column = 0; column < 4; column++) await studio.press('Right');
  await studio.press('Enter');
  await studio.focused('eval-cell');
  await studio.paste('{"type": "equals", "value": "good"}');
  await studio.press('Enter');
  await studio.absent('eval-cell');
  await studio.focused('eval-cases');
  await until(async () => (await stored(machine))[CASES].assertions?.length === 1, 'the assertion in the file');
  await studio.press('Ctrl+D');
  await rows(studio, CASES + 5);
  await studio.press('Delete');
  await rows(studio, CASES + 4);
  await studio.shows('toast', 'Deleted');
  await studio.press('Ctrl+Z');
  await rows(studio, CASES + 5);
  await studio.press('Ctrl+Shift+Z');
  await rows(studio, CASES + 4);
  // Escape keeps the text as it was.
  await studio.press('Up');
  await studio.press('Enter');
  await studio.focused('eval-cell');
  await studio.paste('nonsense');
  await studio.press('Escape');
  await studio.absent('eval-cell');
  assert.equal((await stored(machine)).length, CASES + 1);
  await studio.pictures('evals-cases');

  await studio.run('Run evals');
  await studio.one('eval-run-dialog');
  await studio.shows('eval-estimate', /9 cases: 18 results, about [\d,]+ input tokens/);
  await studio.pictures('evals-run');
  const before = (await model.asked()).length;
  await studio.press('Ctrl+Enter');
  await studio.noDialog();
  await studio.one('eval-report', '[data-status="complete"]');
  await studio.shows('eval-verdict', /Worse than without skill: −100 points \(95% CI −\d+ to −\d+\), p = 0\.004/);
  assert.equal((await model.asked()).length - before, 18);

  await (await studio.one('eval-regressions')).click();
  await until(async () => (await studio.count('[data-testid="eval-result"][data-regression="true"]')) === CASES + 1, 'only regressions');
  await studio.pictures('evals-report');
  await studio.browser.execute(() => /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="eval-result"]'))?.focus());
  await studio.press('Right');
  await studio.press('Down');
  await studio.press('Enter');
  await studio.one('eval-outputs');
  await until(async () => /good[\s\S]*bad/.test(await studio.words('[data-testid="eval-diff"]')), 'both outputs');
  await studio.one('eval-side', '[data-outcome="passed"]');
  await studio.one('eval-side', '[data-outcome="failed"]');
  await studio.one('verdict', '[data-outcome="failed"]');
  await studio.pictures('evals-diff');
  await studio.click(await studio.one('eval-back'));
  await studio.focused('eval-result');
  await studio.press('Enter');
  await studio.one('eval-outputs');
  await studio.press('Escape');
  await studio.focused('eval-result');

  await studio.button('Export report');
  await studio.one('eval-export');
  await studio.button('Export to folder…', '[data-testid="eval-export"]');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(machine.folder);
  await studio.press('Ctrl+Enter');
  await studio.shows('toast', 'Exported the report to');
  const [file] = (await readdir(machine.folder)).filter((name) => name.endsWith('.html'));
  assert.match(await readFile(join(machine.folder, file ?? ''), 'utf8'), /regression/);
}));

test('a run is canceled and resumed, revisions are compared, and grading again is free', withGreeter(async (machine, model) => {
  const studio = await machine.start();
  await studio.shows('status-model', 'scripted/small');
  await studio.open('greeter', PROMPT);
  await showEvals(studio);
  await model.script({ repeat: 0, then: { hang: { chunks: ['Still '] } } });
  await runEvals(studio, /16 results/);
  await studio.one('eval-progress');
  await until(async () => (await model.asked()).length > 0, 'a request');
  await studio.click(await studio.one('eval-cancel'));
  await studio.absent('eval-progress');
  await studio.one('eval-report', '[data-status="cancelled"]');
  await model.script(...STEPS);
  await studio.click(await studio.one('eval-resume'));
  await studio.one('eval-report', '[data-status="complete"]');

  const asked = (await model.asked()).length;
  await runEvals(studio, /16 results, all cached/);
  await until(async () => (await studio.count('[data-testid="eval-run-row"][data-status="complete"]')) === 2, 'two runs');
  assert.equal((await model.asked()).length, asked);
  await (await studio.one('eval-compare')).selectByIndex(1);
  await studio.shows('eval-difference', /No difference from/);
  // The table has both runs, and a result opens both outputs.
  await studio.shows('eval-variant', 'Revision 1 (earlier run)');
  await studio.shows('eval-variant', 'Revision 1 (later run)');
  await studio.click(await studio.one('eval-result'));
  await until(async () => (await studio.count('[data-testid="eval-side"]')) === 2, 'both runs');
  await studio.one('eval-same');
  await studio.press('Escape');
  await studio.focused('eval-result');

  const text = join(machine.folder, 'text');
  await writeFile(text, '---\nname: greeter\ndescription: Greets a person by name. Use it when someone should be greeted.\n---\n\nAnswer well.\n');
  await machine.command.json('skill', 'edit', 'greeter', '--path', 'SKILL.md', '--from', text);
  await studio.shows('eval-report', /Outdated, now revision 2/);
  await studio.run('Run evals');
  await studio.one('eval-run-dialog');
  await studio.click(await studio.find('[data-testid="eval-run-dialog"] input[value="revisions"]'));
  await until(async () => (await studio.count('[data-testid="eval-revisions"] input')) === 2, 'two revisions');
  for (const box of await studio.browser.$$('[data-testid="eval-revisions"] input').getElements()) await studio.click(box);
  await studio.shows('eval-estimate', /16 results, 8 cached/);
  await studio.press('Ctrl+Enter');
  await studio.shows('eval-verdict', 'Better than revision 1');
  await studio.one('eval-history');
  await studio.pictures('evals-history');

  await studio.run('Show editor');
  await studio.run('Show skill in library');
  await studio.shows('last-eval', /100%\s+of the cases pass with revision 2/);
}));

test('a rewrite ends in a proposal, which is accepted and rolled back, and its runs are deleted', withGreeter(async (machine, model) => {
  await model.script(...REWRITING);
  const instructions = () => machine.command.read('greeter', 'SKILL.md');
  const studio = await machine.start();
  await studio.shows('status-model', 'scripted/small');
  await studio.open('greeter', PROMPT);
  await showEvals(studio);
  // What to do next, and all stages.
  await studio.shows('eval-loop', '2/6 ready');
  await studio.shows('eval-next', /add success criteria to the manifest/);
  await studio.click(await studio.find('[data-testid="eval-loop"] button[aria-expanded="false"]'));
  await until(async () => (await studio.count('[data-testid="eval-stage"][data-status="ready"]')) === 2, 'two stages that are ready');
  await studio.pictures('evals-loop');
  await studio.button('Rewrite…', '[data-stage="candidates"]');
  await studio.one('eval-rewrite-dialog');
  await studio.shows('eval-rewrite-plan', /\d training cases: \d results, about [\d,]+ input tokens[\s\S]*\d validation cases?: \d+ results/);
  await studio.pictures('evals-rewrite-setup');
  await studio.press('Ctrl+Enter');
  await studio.noDialog();

  await studio.one('eval-rewrite', '[data-proposal]');
  await studio.shows('eval-rewrite-summary', 'Proposal ready');
  await studio.shows('eval-rewrite-scores', /Training\s+\d cases?\s+0%\s+95% CI[\s\S]*100%\s+95% CI/);
  await studio.shows('eval-rewrite-scores', /Validation\s+\d cases?\s+0%\s+95% CI[\s\S]*100%\s+95% CI/);
  await studio.one('eval-attempt', '[data-outcome="rejected"]');
  await studio.one('eval-attempt', '[data-outcome="kept"]');
  await studio.shows('eval-edit', 'Say good.');
  await studio.pictures('evals-rewrite');
  assert.doesNotMatch(await instructions(), /Say good/);

  await studio.button('Review proposal', '[data-testid="eval-rewrite"]');
  await studio.find('[data-testid="proposal"] .cm-editor');
  await studio.button('Accept', '[data-testid="proposal"]');
  await studio.one('decided');
  assert.match(await instructions(), /Say good/);
  await studio.press('Ctrl+Alt+E');
  await studio.shows('eval-rewrite-summary', 'Accepted as revision 2');
  await studio.pictures('evals-rewrite-accepted');
  await studio.click(await studio.one('eval-rewrite-rollback'));
  await studio.shows('toast', 'Rolled back to revision 1');
  await studio.absent('eval-rewrite-rollback');
  assert.doesNotMatch(await instructions(), /Say good/);

  // One run before the attempts, one for each, and one at the end.
  await studio.run('Show eval runs');
  const runs = (/** @type {number} */ wanted) => until(async () => (await studio.count('[data-testid="eval-run-row"]')) === wanted, async () => `${wanted} runs, not ${await studio.count('[data-testid="eval-run-row"]')}`);
  await runs(4);
  await studio.click(await studio.one('eval-run-row'));
  await studio.press('Down');
  await studio.press('Delete');
  await studio.one('eval-delete');
  await studio.pictures('evals-delete');
  await studio.press('Escape');
  await studio.noDialog();
  await runs(4);
  await studio.press('Delete');
  await studio.one('eval-delete');
  await studio.button('Delete run', '[data-testid="eval-delete"]');
  await studio.noDialog();
  await runs(3);
  assert.equal((await machine.command.json('eval', 'list', 'greeter')).runs.length, 3);

  // The run before the attempts is the last one of the skill itself.
  await studio.run('Show editor');
  await studio.button('Info', '[data-testid="inspector"]');
  await studio.shows('last-eval', /0%\s+of the cases pass with revision 1[\s\S]*Outdated, now revision 3/);
  await studio.pictures('evals-info');
  await studio.button('Show evals', '[data-testid="last-eval"]');
  await studio.one('eval-run-row');
}));

test('triggers are tested by the ranking and by a model', withGreeter(async (machine) => {
  const studio = await machine.start();
  await studio.shows('status-model', 'scripted/small');
  await studio.open('greeter', PROMPT);
  await studio.run('Test triggers');
  await until(async () => (await studio.count('[data-testid="eval-trigger"]')) === 3, 'three triggers');
  await studio.shows('eval-trigger-rate', /\d of 3 passed/);
  await studio.pictures('evals-triggers');
  await studio.click(await studio.one('eval-ask-triggers'));
  await studio.shows('eval-trigger-rate', /By scripted\/small/);
  // The model answers without a skill.
  await studio.shows('eval-trigger-rate', '1 of 3 passed');
  await studio.shows('eval-confusions', 'No skill');
  await studio.pictures('evals-triggers-model');
  await studio.run('Show eval runs');
  await studio.one('eval-no-runs');
  await studio.pictures('evals-no-runs');
}));
