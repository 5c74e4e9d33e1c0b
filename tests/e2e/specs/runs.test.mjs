import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const PROMPT = 'prompts/greet.j2';

/**
 * A skill with one prompt, and assertions on its answer.
 * @param {Machine} machine
 * @param {object[]} [assertions]
 */
async function greeter(machine, assertions = []) {
  const folder = join(await machine.place('skills'), 'greeter');
  await mkdir(join(folder, 'prompts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: greeter\ndescription: Greets a person by name. Use it when someone should be greeted.\n---\n\nGreet warmly.\n');
  await writeFile(join(folder, PROMPT), 'Greet {{ name }} in one sentence.\n');
  const artifacts = [{ path: 'SKILL.md', kind: 'description', name: 'Overview', ordinal: 0 }, { path: PROMPT, kind: 'prompt_template', name: 'Greet', ordinal: 1, metadata: { assertions } }];
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts }));
  await machine.command.json('import', folder);
}

/**
 * The same with a model to ask.
 * @param {(machine: Machine, model: Model) => Promise<void>} test
 * @param {import('../harness/model.mjs').Step[]} steps
 */
function withModel(test, ...steps) {
  return onMachine(async (machine) => {
    const model = await Model.start(...steps);
    try {
      await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small', '--model', 'large');
      await test(machine, model);
    } finally {
      await model.end();
    }
  });
}

/**
 * Opens the prompt with a name filled in.
 * @param {Studio} studio
 */
async function ready(studio, name = 'Aria') {
  await studio.open('greeter', PROMPT);
  await studio.button('Run', '[data-testid="inspector"]');
  await (await studio.find('[data-testid="run-panel"] [data-variable="name"]')).click();
  await studio.press('Ctrl+A');
  await studio.paste(name);
}

/** @param {Studio} studio @param {string} status */
const ended = (studio, status) => studio.one('run-result', `[data-status="${status}"]`);

test('a run shows its answer while it comes, and says what it took', withModel(async (machine, model) => {
  await greeter(machine);
  const studio = await machine.start();
  await studio.shows('status-model', 'scripted/small');
  await ready(studio);
  await studio.shows('run-estimate', /\d+ tokens/);
  assert.deepEqual(await model.asked(), []);
  await studio.press('Ctrl+Enter');
  await studio.shows('run-output', 'Hello');
  await studio.one('run-result', '[data-state="running"]');
  assert.doesNotMatch(await studio.words('[data-testid="run-output"]'), /the end/);
  await ended(studio, 'ok');
  await studio.shows('run-output', 'Hello, dear Aria, the end');
  await studio.shows('run-usage', /tokens|in, /);
  const [asked] = await model.asked();
  assert.match(JSON.stringify(asked?.body), /Greet Aria in one sentence/);
}, { then: { reply: { chunks: ['Hello, ', 'dear ', 'Aria, ', 'the end'], delay_ms: 700 } } }));

test('unsaved text is saved before it runs', withModel(async (machine, model) => {
  await greeter(machine);
  const studio = await machine.start();
  await ready(studio);
  await studio.rewrite('Wave at {{ name }}.');
  await studio.unsaved(true);
  await studio.press('Ctrl+Enter');
  await ended(studio, 'ok');
  await studio.unsaved(false);
  assert.match(JSON.stringify((await model.asked())[0]?.body), /Wave at Aria/);
}));

test('a model that never ends is stopped with Escape', withModel(async (machine) => {
  await greeter(machine);
  const studio = await machine.start();
  await ready(studio);
  await studio.press('Ctrl+Enter');
  await studio.shows('run-output', 'Hello');
  // The field that had the focus has made room for the answer; the panel still has it.
  await studio.focused('stop');
  await studio.press('Escape');
  await ended(studio, 'cancelled');
  await studio.shows('run-error', 'Canceled');
  await studio.one('run');
}, { then: { hang: { chunks: ['Hello, '] } } }));

test('an assertion that fails is shown with its reason, and a hard one refuses the output', withModel(async (machine, model) => {
  await greeter(machine, [
    { type: 'contains', value: 'Aria', severity: 'hard' },
    { type: 'length', check: 'char_range', min: 1000, max: 2000, severity: 'soft' },
  ]);
  const studio = await machine.start();
  await ready(studio);
  await studio.press('Ctrl+Enter');
  await ended(studio, 'ok');
  await studio.one('verdict', '[data-outcome="passed"]');
  await studio.one('verdict', '[data-outcome="failed"]');
  await studio.shows('verdicts', /1,000/);

  await model.script({ then: { reply: { text: 'Hello, stranger' } } });
  await studio.press('Ctrl+Enter');
  await ended(studio, 'error');
  await studio.one('run-error', '[data-code="assertion"]');
  await studio.shows('run-output', 'Hello, stranger');
}, { then: { reply: { text: 'Hello, Aria' } } }));

test('a run is found again, run again with another model, and compared', withModel(async (machine) => {
  await greeter(machine);
  const studio = await machine.start();
  await ready(studio);
  await studio.press('Ctrl+Enter');
  await ended(studio, 'ok');
  await studio.button('Open in Runs');
  await studio.one('run-detail');
  await studio.shows('trace-output', 'first answer');
  await studio.shows('trace-input', 'Greet Aria');
  assert.equal(await studio.count('[data-testid="run-row"]'), 1);

  await studio.button('Replay with…');
  await studio.choose('scripted/large');
  await studio.one('replayed');
  await studio.shows('trace-output', 'second answer');
  await until(async () => (await studio.count('[data-testid="run-row"]')) === 2, 'both runs in the list');
  await studio.button('Compare with original');
  await studio.one('compare');
  await studio.shows('compare-numbers', /small[\s\S]*large/);
  await studio.find('.cm-mergeView');
  assert.match(await studio.words('.cm-mergeView'), /first answer[\s\S]*second answer/);
}, { when: { model: 'small' }, then: { reply: { text: 'The first answer' } } }, { when: { model: 'large' }, then: { reply: { text: 'The second answer' } } }));

test('runs are marked, compared and deleted by keyboard, and exported', withModel(async (machine) => {
  await greeter(machine);
  for (const name of ['Aria', 'Bren']) await machine.command.json('run', 'greeter', '--param', `name=${name}`);
  const studio = await machine.start();
  await studio.run('Show runs');
  await until(async () => (await studio.count('[data-testid="run-row"]')) === 2, 'both runs in the list');
  await studio.find('[data-testid="chart"] canvas');
  await (await studio.one('run-row')).click();
  await studio.one('run-detail');
  await studio.press(' ');
  await studio.press('Down');
  await studio.press(' ');
  await studio.press('Enter');
  await studio.one('compare');
  await studio.shows('compare', /Aria[\s\S]*Bren/);

  await studio.run('Export runs');
  await studio.one('export-runs');
  await studio.button('Export to folder…');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(machine.folder);
  await studio.press('Ctrl+Enter');
  await studio.shows('toast', /Exported \d+ lines/);
  const [file] = (await readdir(machine.folder)).filter((name) => name.endsWith('.jsonl'));
  const lines = (await readFile(join(machine.folder, file ?? ''), 'utf8')).trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(lines.some((line) => line.artifact_name === 'Greet' && /Bren/.test(line.rendered_input)));

  await (await studio.one('run-row')).click();
  await studio.press('Delete');
  await studio.one('delete-runs');
  await studio.button('Delete 2 runs', '[data-testid="delete-runs"]');
  await studio.one('runs-empty');
}));

test('limits are kept for their skill, stop a run, and say when they are none', withModel(async (machine, model) => {
  await greeter(machine);
  const studio = await machine.start();
  await ready(studio);
  await studio.shows('limits', '600 s');
  await (await studio.find('[data-testid="limits"] button')).click();
  const field = (/** @type {string} */ name) => studio.find(`[data-testid="limits"] [data-variable="limits.${name}"]`);
  await (await field('tokens')).click();
  await studio.type('lots');
  await studio.shows('limits', 'whole number');
  await studio.press('Ctrl+Enter');
  await until(() => studio.browser.execute(() => document.activeElement?.getAttribute('data-variable') === 'limits.tokens'), 'the focus in the field that is wrong');
  assert.deepEqual(await model.asked(), []);

  await studio.press('Ctrl+A');
  await studio.type('1,000');
  await (await field('seconds')).click();
  await studio.type('1');
  await studio.shows('limits', '1,000 tokens, 1 s');
  await studio.press('Ctrl+Enter');
  await studio.one('run-error', '[data-code="limit"]');
  await studio.shows('run-error', /1 s/);
  await studio.window.close();

  const again = await machine.start();
  await again.open('greeter', PROMPT);
  await again.shows('limits', '1,000 tokens, 1 s');
}, { then: { hang: { chunks: ['Hello, '] } } }));

test('a broken template says its line, and one click goes there', withModel(async (machine, model) => {
  await greeter(machine);
  const studio = await machine.start();
  await ready(studio);
  await studio.rewrite('Fine\n{{ name | nosuchfilter }}');
  await studio.press('Ctrl+Enter');
  await studio.one('run-error');
  await studio.shows('run-error', /line 2/);
  await (await studio.find('[data-testid="run-error"] button')).click();
  await studio.shows('status-bar', /Ln 2/);
  assert.deepEqual(await model.asked(), []);
}));

test('a run of another program appears by itself', withModel(async (machine) => {
  await greeter(machine);
  const studio = await machine.start();
  await studio.run('Show runs');
  await studio.one('runs-empty');
  await machine.command.json('run', 'greeter', '--param', 'name=Bren');
  await studio.one('run-row', '[data-status="ok"]');
}));

test('a run lists the runs that its script called, and leads to them and back by keyboard', withModel(async (machine) => {
  await greeter(machine);
  const folder = join(await machine.place('skills'), 'caller');
  await mkdir(join(folder, 'scripts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: caller\ndescription: Greets two persons. Use it when two persons should be greeted.\n---\n\nGreet both.\n');
  await writeFile(join(folder, 'scripts/call.py'), 'import inklings\n\ninklings.submit([inklings.run_skill("greeter", {"name": name}) for name in ("Aria", "Bren")])\n');
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: 'scripts/call.py', kind: 'code_template', name: 'Call', ordinal: 1 }] }));
  await machine.command.json('import', folder);
  const studio = await machine.start();
  await studio.open('caller', 'scripts/call.py');
  await studio.press('Ctrl+Enter');
  await ended(studio, 'ok');
  await studio.button('Open in Runs');
  await studio.shows('called-runs', /greeter[\s\S]*120 tokens in, 9 out[\s\S]*greeter/i);
  await studio.shows('run-totals-with-called', /Including 2 nested runs: 240 tokens in, 18 out · cost unknown/);
  assert.doesNotMatch(await studio.words('[data-testid="run-totals"]'), / in, /);
  const own = await (await studio.one('run-detail')).getAttribute('data-run');
  await studio.browser.execute(() => document.querySelector('[data-testid="called-run"]') instanceof HTMLElement && /** @type {HTMLElement} */ (document.querySelector('[data-testid="called-run"]')).focus());
  await studio.press('Down');
  const child = await studio.browser.execute(() => document.activeElement?.getAttribute('data-run'));
  await studio.press('Enter');
  await studio.one('run-detail', `[data-run="${child}"]`);
  await studio.shows('run-totals', /120 tokens in, 9 out/);
  await until(() => studio.browser.execute(() => document.activeElement?.textContent === 'Greeter'), 'the focus on the name of the run that was opened');
  await studio.button('Open run');
  await studio.one('run-detail', `[data-run="${own}"]`);
  await studio.run('Show usage');
  await studio.shows('usage-total', /Tokens in\s*240\s*Tokens out\s*18\s*Estimated cost\s*unknown/);
}, { repeat: 0, then: { reply: { text: 'Hello.', usage: { input: 120, output: 9 } } } }));

test('how long runs are kept is set in days and MiB', onMachine(async (machine) => {
  const studio = await machine.start();
  const field = (/** @type {string} */ name) => `[data-testid="retention-field"][data-limit="${name}"] input`;
  const values = () => studio.browser.execute((days, bytes) => [days, bytes].map((one) => /** @type {HTMLInputElement | null} */ (document.querySelector(one))?.value), field('days'), field('bytes'));
  await studio.run('Set run retention');
  await studio.shows('settings-runs', /deleted at startup/);
  await studio.find(field('days'));
  assert.deepEqual(await values(), ['90', '256']);
  await (await studio.find(field('days'))).click();
  await studio.press('Ctrl+A');
  await studio.type('0\n');
  await studio.shows('settings-runs', /whole number from 1 to 36,500\. Current value: 90/);
  await studio.press('Ctrl+A');
  await studio.type('30\n');
  await studio.run('Show editor');
  await studio.window.close();
  // What would have been no setting of the core is the usual again.
  const again = await machine.start();
  await again.run('Set run retention');
  await again.find(field('days'));
  assert.equal(await again.browser.execute((wanted) => /** @type {HTMLInputElement | null} */ (document.querySelector(wanted))?.value, field('days')), '30');
  await again.button('Reset to 90 days');
}));

test('without a model it shows what would be sent, and one button leads to the settings', onMachine(async (machine) => {
  await greeter(machine);
  const studio = await machine.start();
  await studio.shows('status-model', 'No model');
  await ready(studio);
  await studio.press('Ctrl+Enter');
  await studio.one('run-error', '[data-code="noModel"]');
  await studio.shows('run-unsent', 'Greet Aria in one sentence');
  await studio.button('Set up a model');
  await studio.one('models');
}));

test('a plain SKILL.md answers a message, and reads its files', withModel(async (machine, model) => {
  const folder = join(await machine.place('skills'), 'tea-maker');
  await mkdir(join(folder, 'references'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: tea-maker\ndescription: Makes tea. Use it when somebody is thirsty.\n---\n\nSee references/times.md.\n');
  await writeFile(join(folder, 'references/times.md'), 'Green: two minutes.\n');
  await machine.command.json('import', folder);
  const studio = await machine.start();
  await studio.open('tea-maker', 'SKILL.md');
  await studio.press('Ctrl+Enter');
  await studio.one('run-error', '[data-code="invalid"]');
  await until(() => studio.browser.execute(() => document.activeElement?.getAttribute('data-variable') === 'message'), 'the focus in the message');
  await studio.paste('How long for green tea?');
  await studio.press('Ctrl+Enter');
  await studio.one('run-result', '[data-status="ok"]');
  await studio.shows('run-output', /Two minutes/);
  await studio.shows('run-result', /read references\/times\.md/);
  const [first, second] = await model.asked();
  assert.match(JSON.stringify(first), /references\/times\.md \(20 bytes\)/);
  assert.match(JSON.stringify(second), /Green: two minutes/);
  const answered = await machine.command.json('run', 'tea-maker', '--message', 'And now?');
  assert.equal(answered.text, 'Two **minutes**.');
}, { then: { reply: { tool_calls: [{ name: 'read_file', arguments: { path: 'references/times.md' } }] } } }, { then: { reply: { text: 'Two **minutes**.' } }, repeat: 0 }));

test('a value that is missing is gone to', withModel(async (machine, model) => {
  await greeter(machine);
  const studio = await machine.start();
  await studio.open('greeter', PROMPT);
  await studio.press('Ctrl+Enter');
  await studio.one('run-error', '[data-code="invalid"]');
  await until(() => studio.browser.execute(() => document.activeElement?.getAttribute('data-variable') === 'name'), 'the focus in the empty field');
  assert.deepEqual(await model.asked(), []);
}));

test('a provider is set up by its form, tried out, and chosen', onMachine(async (machine) => {
  const model = await Model.start();
  try {
    const studio = await machine.start();
    await studio.run('Set up models');
    await (await studio.one('add-provider')).click();
    await studio.one('provider-form');
    await (await studio.find('[data-testid="provider-form"] [name="kind"]')).selectByAttribute('value', 'openai-compatible');
    await studio.button('Connect', '[data-testid="provider-form"]');
    await studio.shows('provider-form', /URL of the server/);
    await (await studio.find('[data-testid="provider-form"] [name="base_url"]')).setValue(model.address);
    await (await studio.find('[data-testid="provider-form"] [name="key"]')).setValue('sk-e2e-secret');
    await studio.button('Advanced', '[data-testid="provider-form"]');
    await (await studio.find('[data-testid="provider-form"] [name="models"]')).setValue('small');
    await studio.button('Connect', '[data-testid="provider-form"]');
    await studio.absent('provider-form');
    await studio.shows('key-state', 'Key stored');
    await studio.shows('default-model', 'server/small');
    await (await studio.one('test-provider')).click();
    await studio.shows('test-result', 'answered');
    assert.doesNotMatch(await studio.browser.execute(() => document.documentElement.outerHTML), /sk-e2e-secret/);
    await studio.shows('status-model', 'server/small');
  } finally {
    await model.end();
  }
}));

test('Ctrl+Enter runs with the values of what is in front, also where the inspector is out of sight', withModel(async (machine, model) => {
  await greeter(machine);
  const studio = await machine.start();
  await ready(studio, 'Bren');
  await studio.open('workspace-link-auditor', 'SKILL.md');
  await studio.window.resize(900, 600);
  await studio.open('greeter', PROMPT);
  await studio.press('Ctrl+\\');
  await until(async () => (await studio.count('[data-testid="group"]')) === 2, 'two editors');
  await studio.absent('inspector');
  await studio.edit();
  await studio.press('Ctrl+Enter');
  await ended(studio, 'ok');
  const [asked] = await model.asked();
  assert.match(JSON.stringify(asked), /Greet Bren/);
  // What came of it lies over the editors, and goes with Escape.
  await (await studio.one('run-result')).click();
  await (await studio.one('close-inspector')).click();
  await studio.absent('inspector');
  await studio.focused('editor');
}));

test('running one prompt leaves the unsaved text of another as it is', withModel(async (machine, model) => {
  await greeter(machine);
  await machine.command.write('greeter', 'prompts/other.j2', 'Something else.\n');
  const studio = await machine.start();
  await studio.open('greeter', 'prompts/other.j2');
  await studio.edit();
  await studio.press('Ctrl+Home');
  await studio.type('Half a thought. ');
  await until(async () => (await studio.count('[data-testid="save-state"][data-draft="kept"]')) === 1, 'the draft to be kept');
  await studio.window.kill();

  const again = await machine.start();
  await ready(again);
  const before = await machine.command.revision('greeter');
  await again.press('Ctrl+Enter');
  await ended(again, 'ok');
  assert.equal((await model.asked()).length, 1);
  assert.equal(await machine.command.revision('greeter'), before);
  await again.one('tab', '[data-path="prompts/other.j2"][data-unsaved="true"]');
  await until(async () => (await again.words('[data-testid="status-bar"]')).includes('1 draft'), 'the draft in the status bar');
  // Saved by the person, it is no draft any more.
  await again.openTab('greeter', 'prompts/other.j2');
  await again.edit();
  await again.save();
  await until(async () => !(await again.words('[data-testid="status-bar"]')).includes('draft'), 'no draft in the status bar');
}));

/**
 * The skill beside the sample workspace, which nobody trusts yet.
 * @param {Machine} machine
 */
async function besideSample(machine) {
  await greeter(machine);
  const studio = await machine.start();
  await studio.run('Open sample workspace');
  await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
  return studio;
}

/**
 * A run that is asked for once more in the sample workspace.
 * @param {Machine} machine
 */
async function replayedUntrusted(machine) {
  const studio = await besideSample(machine);
  await ready(studio);
  await studio.press('Ctrl+Enter');
  await ended(studio, 'ok');
  await studio.run('Show runs');
  await (await studio.one('run-row')).click();
  await (await studio.one('replay')).click();
  return studio;
}

test('a replay that needs trust says so, and goes on once it is given', withModel(async (machine, model) => {
  const studio = await replayedUntrusted(machine);
  await studio.shows('replay-failure', 'trusted');
  assert.equal((await model.asked()).length, 1);
  // What was refused goes on by itself.
  await (await studio.one('replay-trust')).click();
  await (await studio.one('trust-yes')).click();
  await studio.one('replayed');
  await studio.absent('replay-failure');
  assert.equal((await model.asked()).length, 2);
}));

test('a refusal for missing trust goes once the workspace is trusted elsewhere', withModel(async (machine) => {
  const studio = await replayedUntrusted(machine);
  await studio.one('replay-failure');
  await studio.run('Trust workspace');
  await (await studio.one('trust-yes')).click();
  await studio.absent('replay-failure');
}));

test('a workspace’s skill runs only once the person trusts the folder', withModel(async (machine, model) => {
  const studio = await besideSample(machine);
  await studio.open('greeter', PROMPT);
  await studio.run('Duplicate to edit');
  await studio.one('tab', '[aria-selected="true"][data-scope="workspace"]');
  await studio.one('status-trust');
  await studio.button('Run', '[data-testid="inspector"]');
  await (await studio.find('[data-testid="run-panel"] [data-variable="name"]')).click();
  await studio.paste('Aria');
  await studio.press('Ctrl+Enter');
  await studio.one('trust');
  await studio.button('Not now');
  await studio.absent('trust');
  assert.deepEqual(await model.asked(), []);
  await studio.press('Ctrl+Enter');
  await (await studio.one('trust-yes')).click();
  await ended(studio, 'ok');
  await studio.absent('status-trust');
}));
