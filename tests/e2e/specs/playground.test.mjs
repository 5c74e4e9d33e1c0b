import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const PROMPT = 'prompts/greet.j2';
const column = (/** @type {number} */ number) => `[data-testid="playground-column"]:nth-child(${number})`;

/** A skill with two revisions of one prompt. @param {Machine} machine */
async function greeter(machine) {
  const folder = join(await machine.place('skills'), 'greeter');
  await mkdir(join(folder, 'prompts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: greeter\ndescription: Greets a person by name. Use it when someone should be greeted.\n---\n\nGreet warmly.\n');
  await writeFile(join(folder, PROMPT), 'Wave at {{ name }}.\n');
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: PROMPT, kind: 'prompt_template', name: 'Greet', ordinal: 1 }] }));
  await machine.command.json('import', folder);
  const text = join(folder, 'text');
  await writeFile(text, 'Greet {{ name }} in one sentence.\n');
  await machine.command.json('skill', 'edit', 'greeter', '--path', PROMPT, '--from', text);
}

/** Opens the playground by keyboard, with the input filled in. @param {Studio} studio */
async function openPlayground(studio, name = 'Aria') {
  await studio.open('greeter', PROMPT);
  await studio.press('Ctrl+Alt+Y');
  await studio.one('playground');
  await (await studio.find('[data-testid="playground"] [data-variable="name"]')).click();
  await studio.paste(name);
}

/** @param {Studio} studio @param {number} number @param {string} model */
async function chooseModel(studio, number, model) {
  await studio.click(await studio.find(`${column(number)} [data-testid="column-model"]`));
  await studio.choose(model);
  await studio.noDialog();
}

/** @param {Studio} studio @param {number} number @param {string} status */
const ended = (studio, number, status) => studio.find(`${column(number)}[data-status="${status}"]`);

/** @param {Studio} studio @param {number} number @param {string | RegExp} wanted */
const shows = (studio, number, wanted) =>
  until(async () => new RegExp(wanted).test(await studio.words(`${column(number)} [data-testid="run-output"]`)), async () => `${wanted} in column ${number}, which shows: ${await studio.words(column(number))}`);

test('three columns run at once; one is canceled and run again, two are compared, one is kept, and a restart keeps the columns', onMachine(async (machine) => {
  const model = await Model.start(
    { when: { model: 'slow' }, then: { hang: { chunks: ['Still '] } } },
    { when: { model: 'small' }, repeat: 0, then: { reply: { chunks: ['See [[Gull Stair]], ', '**Aria**'], delay_ms: 50 } } },
    { when: { model: 'large' }, repeat: 0, then: { reply: { text: 'Good day, Aria' } } },
    { when: { model: 'slow' }, then: { reply: { text: 'At last, Aria' } } },
  );
  try {
    await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small', '--model', 'large', '--model', 'slow');
    await greeter(machine);
    const studio = await machine.start();
    await studio.shows('status-model', 'scripted/small');
    await openPlayground(studio);
    await studio.button('Add column');
    await chooseModel(studio, 2, 'scripted/large');
    await studio.button('Add column');
    await chooseModel(studio, 3, 'scripted/slow');
    const revision = await studio.find(`${column(2)} [data-testid="column-revision"]`);
    await until(async () => (await revision.$$('option').getElements()).length > 1, 'older revisions');
    await revision.selectByAttribute('value', '1');

    await studio.shows('playground-run', /Run 3, \d+ tokens/);
    await studio.press('Ctrl+Enter');
    await ended(studio, 1, 'ok');
    await ended(studio, 2, 'ok');
    await shows(studio, 3, 'Still');
    await studio.find(`${column(3)}[data-state="running"]`);
    // Markdown is rendered, and the older revision was sent by the second column.
    await shows(studio, 1, /See Gull Stair, Aria/);
    const prompts = (await model.asked()).map(({ body }) => [body.model, /Wave at Aria/.test(JSON.stringify(body))]);
    assert.deepEqual(prompts.sort(), [['large', true], ['slow', false], ['small', false]]);

    await studio.click(await studio.find(`${column(3)} [data-testid="column-cancel"]`));
    await ended(studio, 3, 'cancelled');
    await studio.click(await studio.find(`${column(3)} [data-testid="column-run"]`));
    await ended(studio, 3, 'ok');
    await shows(studio, 3, 'At last, Aria');
    assert.equal((await model.asked()).length, 4);

    for (const number of [1, 2]) await studio.click(await studio.find(`${column(number)} input[type="checkbox"]`));
    await studio.button('Compare outputs');
    await studio.one('comparison');
    await studio.shows('comparison', 'Good day, Aria');
    await studio.shows('comparison', 'Gull Stair');
    await studio.press('Ctrl+W');
    await studio.one('playground');

    await studio.button('Keep as case', column(2));
    await studio.one('keep-case');
    await studio.type('Good day');
    await (await studio.find('[data-testid="keep-case"] [name="expectation"]')).selectByAttribute('value', 'equals');
    await studio.button('Keep case', '[data-testid="keep-case"]');
    await studio.noDialog();
    const kept = await machine.command.json('skill', 'show', 'greeter', '--path', 'evals/good-day.json');
    assert.deepEqual(JSON.parse(kept.text), {
      name: 'Good day', artifact: PROMPT, input: { name: 'Aria' }, expected_output: 'Good day, Aria',
      assertions: [{ type: 'equals', value: 'Good day, Aria', severity: 'hard' }],
    });

    await studio.clearToasts();
    await studio.pictures('playground');
    await studio.window.kill();
    const again = await machine.start();
    await again.one('playground');
    await until(async () => (await again.count('[data-testid="playground-column"]')) === 3, 'three columns');
    await until(async () => (await again.words(`${column(2)} [data-testid="column-model"]`)).includes('large'), 'the model of column 2');
    assert.equal(await (await again.find(`${column(2)} [data-testid="column-revision"]`)).getValue(), '1');
    await until(async () => (await (await again.find('[data-testid="playground"] [data-variable="name"]')).getValue()) === 'Aria', 'the input');
    await shows(again, 2, 'Good day, Aria');
    await shows(again, 3, 'At last, Aria');
    await again.press('Ctrl+Alt+Y');
    await again.one('editor', `[data-path="${PROMPT}"]`);
  } finally {
    await model.end();
  }
}));

test('a list is filled in by its form and from a page, and SKILL.md answers', onMachine(async (machine) => {
  const model = await Model.start({ repeat: 0, then: { reply: { text: 'Hello' } } });
  try {
    await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
    const folder = join(await machine.place('skills'), 'teller');
    await mkdir(join(folder, 'prompts'), { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), '---\nname: teller\ndescription: Tells what is claimed. Use it for claims.\n---\n\nTell it.\n');
    await writeFile(join(folder, PROMPT), '{% for claim in claims %}{{ claim.page_name }}: {{ claim.text }}\n{% endfor %}');
    await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: PROMPT, kind: 'prompt_template', name: 'Tell', ordinal: 1 }] }));
    await machine.command.json('import', folder);
    const studio = await machine.start();
    await studio.run('Open sample workspace');
    await studio.shows('status-model', 'scripted/small');
    await studio.open('teller', PROMPT);
    await studio.press('Ctrl+Alt+Y');
    await studio.one('playground');
    await studio.button('Add item', '[data-testid="playground"]');
    await studio.paste('Aria');
    await studio.press('Tab');
    await studio.paste('187');
    await studio.button('Add item', '[data-testid="playground"]');
    await studio.paste('Gull Stair');
    await studio.pictures('playground-list');
    await studio.press('Ctrl+Enter');
    await ended(studio, 1, 'ok');
    assert.match(JSON.stringify((await model.asked()).at(-1)?.body), /Aria: 187\\nGull Stair: /);

    await studio.button('Clear claims', '[data-testid="playground"]');
    await studio.button('Take claims from a page', '[data-testid="playground"]');
    await studio.choose('Captain Dray');
    await studio.noDialog();
    await until(async () => (await studio.count('[data-variable="claims"] .item')) > 1, 'an item for each paragraph');
    await studio.press('Ctrl+Enter');
    await until(async () => (await model.asked()).length === 2, 'a second request');
    await ended(studio, 1, 'ok');
    assert.match(JSON.stringify((await model.asked()).at(-1)?.body), /Captain Dray: .+\\nCaptain Dray: /);

    await studio.open('teller', 'SKILL.md');
    await studio.press('Ctrl+Alt+Y');
    await (await studio.find('[data-testid="playground"] [data-variable="message"]')).click();
    await studio.paste('Tell me');
    await studio.button('Add column');
    await studio.press('Ctrl+Enter');
    await ended(studio, 1, 'ok');
    await ended(studio, 2, 'ok');
    assert.equal((await model.asked()).length, 4);
  } finally {
    await model.end();
  }
}));

test('a missing input is marked and focused, and nothing is sent', onMachine(async (machine) => {
  const model = await Model.start({ repeat: 0, then: { reply: { text: 'Hello' } } });
  try {
    await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
    await greeter(machine);
    const studio = await machine.start();
    await studio.shows('status-model', 'scripted/small');
    await studio.open('greeter', PROMPT);
    await studio.button('Run', '[data-testid="inspector"]');
    await studio.pictures('run-playground-button');
    await studio.button('Open playground', '[data-testid="inspector"]');
    const field = await studio.find('[data-testid="playground"] [data-variable="name"]');
    await studio.press('Ctrl+Enter');
    await until(async () => (await field.getAttribute('aria-invalid')) === 'true', 'the field to be marked');
    await until(() => studio.browser.execute(() => document.activeElement?.getAttribute('data-variable') === 'name'), 'the focus on the field');
    assert.deepEqual(await model.asked(), []);
    assert.equal(await studio.count('[data-testid="run-error"]'), 0);
    await studio.paste('Aria');
    await until(async () => (await field.getAttribute('aria-invalid')) === 'false', 'the mark to go');
    await studio.press('Ctrl+Enter');
    await ended(studio, 1, 'ok');
  } finally {
    await model.end();
  }
}));
