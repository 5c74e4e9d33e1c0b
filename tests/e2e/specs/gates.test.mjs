import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const PROMPT = 'prompts/memo.j2';
const MAX_TABS = 40;

/**
 * A skill whose manifest asks before a run, and for its output.
 * @param {Machine} machine
 */
async function memo(machine) {
  const folder = join(await machine.place('skills'), 'memo');
  await mkdir(join(folder, 'prompts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: memo\ndescription: Writes memos. Use it when somebody asks for a memo about a decision.\n---\n\nWrite a memo.\n');
  await writeFile(join(folder, PROMPT), 'Write a memo about the decision.\n');
  const gate = (/** @type {string} */ key, /** @type {string} */ label, /** @type {string} */ when) => ({ key, label, when, required: true });
  const humanGates = [gate('figures', 'The figures are final', 'before_run'), gate('tone', 'The tone fits the readers', 'after_draft')];
  const artifacts = [{ path: PROMPT, kind: 'prompt_template', name: 'Memo', ordinal: 1 }];
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ metadata: { manifest: { version: 1, humanGates } }, artifacts }));
  await machine.command.json('import', folder);
}

/**
 * With the skill, and a model that answers each question.
 * @param {(machine: Machine, model: Model) => Promise<void>} test
 */
function withMemo(test) {
  return onMachine(async (machine) => {
    const model = await Model.start({ repeat: 0, then: { reply: { text: 'A memo.' } } });
    try {
      await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
      await memo(machine);
      await test(machine, model);
    } finally {
      await model.end();
    }
  });
}

/**
 * Presses Tab until the focus is on what the selector matches.
 * @param {Studio} studio
 * @param {string} selector
 */
async function tabTo(studio, selector) {
  for (let presses = 0; presses < MAX_TABS; presses++) {
    if (await studio.browser.execute((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await studio.press('Tab');
  }
  assert.fail(`Tab doesn't lead to ${selector}`);
}

/** Approves the run in the dialog. @param {Studio} studio */
async function approveRun(studio) {
  await studio.focused('gates');
  await tabTo(studio, '[data-testid="gates-approve"]');
  await studio.press('Enter');
  await studio.absent('gates');
}

/** A button of the notice. @param {string} label */
const noticeButton = (label) => `[data-testid="run-gates"] button[aria-label="${label}: The tone fits the readers"]`;

/** What was decided on the output of the shown run. @param {Machine} machine @param {Studio} studio */
async function recorded(machine, studio) {
  const run = (await (await studio.one('run-detail')).getAttribute('data-run')) ?? '';
  return (await machine.command.json('runs', 'show', run)).gates[0]?.decision;
}

test('a run and its output are approved by keyboard', withMemo(async (machine, model) => {
  const studio = await machine.start();
  await studio.open('memo', PROMPT);
  await studio.button('Run', '[data-testid="inspector"]');
  await tabTo(studio, '[data-testid="run"]');
  await studio.press('Enter');
  await studio.shows('gates', 'The figures are final');
  assert.deepEqual(await model.asked(), []);
  await approveRun(studio);

  await studio.one('run-result', '[data-status="ok"]');
  await studio.shows('run-output', 'A memo.');
  await studio.shows('run-gates', /Waiting for your approval[\s\S]*The tone fits the readers/);
  // The focus is still on the button that started the run.
  await studio.focused('run');
  await tabTo(studio, noticeButton('Approve'));
  await studio.press('Enter');
  await studio.shows('run-gates', /Approved: The tone fits the readers\s+By you, just now/);
  await studio.focused('run-gates');
  assert.equal((await model.asked()).length, 1);

  await studio.button('Open in Runs');
  await studio.one('run-gate', '[data-decision="approved"]');
  const { approved, actor } = await recorded(machine, studio);
  assert.deepEqual([approved, actor], [true, 'local']);
}));

test('a declined run executes nothing', withMemo(async (machine, model) => {
  const studio = await machine.start();
  await studio.open('memo', PROMPT);
  await studio.press('Ctrl+Enter');
  await studio.focused('gates');
  await studio.press('Escape');
  await studio.absent('gates');
  await studio.one('run-error', '[data-code="approvalRequired"]');
  assert.deepEqual(await model.asked(), []);
}));

test('an output is rejected with a reason, and a replay asks again', withMemo(async (machine, model) => {
  const studio = await machine.start();
  await studio.open('memo', PROMPT);
  await studio.press('Ctrl+Enter');
  await studio.one('gates');
  await studio.pictures('gate-dialog');
  await approveRun(studio);
  await studio.one('run-gates', '[data-waiting="true"]');
  await studio.pictures('gate-draft');

  await studio.button('Run', '[data-testid="inspector"]');
  await tabTo(studio, noticeButton('Reject'));
  await studio.press('Enter');
  await studio.focused('gate-reason');
  await studio.press('Escape');
  await studio.absent('gate-reason');
  await tabTo(studio, noticeButton('Reject'));
  await studio.press('Enter');
  await studio.focused('gate-reason');
  await studio.type('Too stiff for them\n');
  await studio.shows('run-gates', /Rejected: The tone fits the readers[\s\S]*Too stiff for them/);

  await studio.button('Open in Runs');
  await studio.shows('run-gates', /Rejected: The tone fits the readers[\s\S]*Too stiff for them/);
  const { approved, reason } = await recorded(machine, studio);
  assert.deepEqual([approved, reason], [false, 'Too stiff for them']);

  await (await studio.one('replay')).click();
  await approveRun(studio);
  await studio.one('replayed');
  await studio.focused('run-detail');
  await studio.one('run-gates', '[data-waiting="true"]');
  await studio.pictures('gate-runs');
  assert.equal((await model.asked()).length, 2);
  await studio.button('Approve', '[data-testid="run-detail"]');
  await studio.one('run-gate', '[data-decision="approved"]');
  assert.equal((await recorded(machine, studio)).approved, true);
}));
