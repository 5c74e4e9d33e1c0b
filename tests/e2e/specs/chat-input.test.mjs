import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */
/** @typedef {import('../harness/studio.mjs').Machine} Machine */

/** @param {string} text */
const say = (text) => ({ then: { reply: { text } } });

/** @param {Studio} studio @param {string} text */
async function send(studio, text) {
  await studio.click(await studio.find('[data-testid="chat-input"]'));
  await studio.paste(text);
  await studio.press('Enter');
}

/** @param {Studio} studio @param {string} words */
const shows = (studio, words) => studio.shows('chat-messages', words);

/** @param {Machine} machine @param {Model} model */
const connect = (machine, model) => machine.command.json('model', 'add', 'local', '--kind', 'openai-compatible', '--base-url', model.address, '--model', 'tiny');

/** The messages of each request, in order. @param {Model} model */
const prompts = async (model) => (await model.asked()).map(({ body }) => /** @type {{ role: string, content: unknown }[]} */ (body.messages).map(({ role, content }) => `${role}: ${JSON.stringify(content)}`));

test('an answer is stopped, tried again after an error, and its message edited', onMachine(async (machine) => {
  const model = await Model.start(
    { then: { hang: { chunks: ['Black tea takes ', 'four'] } } },
    { then: { status: { status: 400, body: { error: { message: 'the kettle is broken' } } } } },
    say('Green tea takes two minutes.'),
    say('White tea takes three minutes.'),
  );
  try {
    await connect(machine, model);
    const studio = await machine.start();
    await studio.run('Show chat');
    await send(studio, 'How long does black tea take?');
    await shows(studio, 'Black tea takes four');
    await studio.click(await studio.one('chat-stop'));
    await shows(studio, 'You stopped this answer.');
    assert.equal((await studio.words('[data-testid="chat-answer"][data-status="stopped"] [data-testid="chat-text"]')).trim(), 'Black tea takes four');

    await send(studio, 'And green tea?');
    await studio.shows('chat-error', 'the kettle is broken');
    await studio.button('Try again', '[data-testid="chat-error"]');
    await shows(studio, 'Green tea takes two minutes.');
    assert.equal(await studio.count('[data-testid="chat-error"]'), 0);
    assert.equal(await studio.count('[data-testid="chat-user"]'), 2, 'the message isn’t sent twice');

    await studio.button('Edit and send again', '[data-testid="chat-messages"] li:first-child');
    await until(() => studio.browser.execute(() => document.activeElement?.getAttribute('name') === 'edit'), 'the field');
    await studio.press('Ctrl+A');
    await studio.paste('How long does white tea take?');
    await studio.press('Enter');
    await shows(studio, 'White tea takes three minutes.');
    assert.equal((await studio.words('[data-testid="chat-versions"]')).trim(), '2/2');
    assert.equal(await studio.count('[data-testid="chat-user"]'), 1);
    assert.deepEqual((await prompts(model)).at(-1)?.filter((one) => one.startsWith('user') || one.startsWith('assistant')).map((one) => /white/.test(one)), [true], 'nothing of the other branch');
    await studio.button('Previous version', '[data-testid="chat-messages"] li:first-child');
    await shows(studio, 'Green tea takes two minutes.');
    assert.match(await studio.words('[data-testid="chat-user"]'), /black tea/);
  } finally {
    await model.end();
  }
}));

test('a skill, a page and an agent are chosen by keyboard', onMachine(async (machine) => {
  const model = await Model.start(say('Two links are broken.'), say('Still two.'));
  try {
    await connect(machine, model);
    await machine.command.json('agent', 'create', 'auditor', '--notes', 'Count links twice.', '--tool', 'get_page');
    const studio = await machine.start();
    await studio.run('Open sample workspace');
    await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
    await studio.run('Show chat');
    await studio.run('Choose agent of chat');
    await studio.choose('auditor');
    await studio.shows('chat-agent', 'auditor');
    await studio.focused('chat-input');
    await studio.type('/link');
    await studio.find('[role="listbox"][aria-label="Skills"] [aria-selected="true"]');
    await studio.press('Enter');
    await studio.shows('chat-skill', 'workspace-link-auditor');
    await studio.type('check @gull');
    await until(async () => (await studio.words('[role="listbox"][aria-label="Pages"] [aria-selected="true"]')).includes('Gull Stair'), 'the page');
    await studio.press('Tab');
    await studio.shows('chat-attachment', 'Gull Stair');
    assert.equal(await studio.browser.execute(() => /** @type {HTMLTextAreaElement} */ (document.activeElement).value), 'check Gull Stair ');
    await studio.press('Enter');
    await shows(studio, 'Two links are broken.');
    const [[system, , ...rest]] = await prompts(model);
    assert.match(system, /Count links twice\./);
    assert.match([system, ...rest].join(), /workspace-link-auditor/);
    assert.deepEqual((await model.asked())[0].body.tools.map((/** @type {{ function: { name: string } }} */ one) => one.function.name), ['get_page', 'ask_user']);
    assert.match((await prompts(model))[0].join(), /harrowmouth/i, 'the text of the page');

    // Without its agent, the chat says so and what to do.
    await machine.command.json('agent', 'delete', 'auditor');
    await studio.one('chat-agent', '[data-missing="true"]');
    await send(studio, 'Are you sure?');
    await studio.shows('chat-error', 'was deleted');
    await studio.click(await studio.one('chat-agent'));
    await studio.choose('No agent');
    await studio.one('chat-agent', '[data-missing="false"]');
    await studio.button('Try again', '[data-testid="chat-error"]');
    await shows(studio, 'Still two.');
  } finally {
    await model.end();
  }
}));

test('files are dropped on a chat, and one is saved as a skill', onMachine(async (machine) => {
  const model = await Model.start(say('Here it is:\n\n```md\n---\nname: tea-rules\ndescription: Rules for tea. Use it for tea.\n---\n# Tea rules\n```'));
  try {
    await connect(machine, model);
    const place = await machine.place('downloads');
    await writeFile(join(place, 'tea.md'), '---\nname: tea-times\ndescription: Says how long tea takes. Use it for tea.\n---\n# Tea times\n\nFour minutes.\n');
    await writeFile(join(place, 'more.txt'), 'Water boils at 100 degrees.');
    await writeFile(join(place, 'photo.jpg'), Buffer.from([0xff, 0xd8, 0xff]));
    await mkdir(join(place, 'pictures'));
    const studio = await machine.start();
    await studio.run('Show chat');
    await studio.one('chat-empty');
    const middle = await studio.browser.execute((/** @type {any} */ element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    }, await studio.one('chat-messages'));
    const paths = ['tea.md', 'photo.jpg', 'more.txt', 'pictures'].map((name) => join(place, name));
    await studio.dropFromDesktop(middle, paths, () => studio.one('chat-drop'));
    await studio.shows('chat-attachment', 'more.txt');
    assert.deepEqual((await studio.allWords('[data-testid="chat-attachment"]')).map((one) => one.trim()), ['tea.md', 'more.txt']);
    await studio.absent('chat-drop');
    await studio.shows('toast', /Couldn’t attach photo\.jpg, pictures[\s\S]*Folders can’t be attached/);
    await studio.pictures('chat-attached', { toasts: true });
    await studio.clearToasts();
    await send(studio, 'Read these.');
    await shows(studio, 'Here it is');
    const [messages] = await prompts(model);
    assert.match(messages.join(), /Four minutes\.[\s\S]*Water boils/);
    await studio.pictures('chat-save');
    await studio.button('Save tea.md as a skill', '[data-testid="chat-user"]');
    await studio.shows('import', 'tea-times');
    await studio.pictures('chat-import');
    await studio.press('Escape');
    await studio.noDialog();
    await studio.button('Save tea-rules.md as a skill', '[data-testid="chat-answer"]');
    await studio.shows('import', 'tea-rules');
    await studio.button('Import 1 skill', '[data-testid="import"]');
    await until(async () => (await machine.command.json('skill', 'list')).skills.some((/** @type {{ slug: string }} */ one) => one.slug === 'tea-rules'), 'the skill');
  } finally {
    await model.end();
  }
}));

test('agents are managed in the settings', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.run('Manage agents');
  await studio.one('agents-empty');
  await studio.pictures('agents-empty');
  await studio.button('New agent', '[data-testid="agents-empty"]');
  await until(() => studio.browser.execute(() => document.activeElement?.getAttribute('name') === 'agent-name'), 'the focus on the name');
  await studio.press('Ctrl+A');
  await studio.paste('Fact checker');
  await studio.press('Tab');
  await studio.find('[data-testid="agent"][data-name="Fact checker"]');
  await studio.click(await studio.find('[name="agent-notes"]'));
  await studio.paste('Check each claim against the pages. Name the page.');
  for (const skill of ['consistency-checker', 'skill-reviewer', 'workspace-link-auditor']) {
    await studio.click(await studio.one('assign-skill'));
    await studio.choose(skill);
    await studio.find(`[data-testid="assigned-skills"] [data-slug="${skill}"]`);
  }
  const slugs = () => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="assigned-skills"] li')].map((row) => row.getAttribute('data-slug')));
  const ordered = (/** @type {string[]} */ ...wanted) => until(async () => (await slugs()).join() === wanted.join(), async () => `${wanted.join()}, not ${(await slugs()).join()}`);
  const stored = async () => (await machine.command.json('agent', 'list')).agents.find((/** @type {{ name: string }} */ one) => one.name === 'Fact checker');
  // By button, and on with the keys: the focus follows the row.
  await studio.button('Move Workspace Link Auditor up', '[data-testid="assigned-skills"]');
  await ordered('consistency-checker', 'workspace-link-auditor', 'skill-reviewer');
  await studio.press('Alt+Up');
  await ordered('workspace-link-auditor', 'consistency-checker', 'skill-reviewer');
  // By pointer.
  const grip = async (/** @type {string} */ slug) => {
    const { x, y, width, height } = await studio.browser.execute((wanted) => /** @type {Element} */ (document.querySelector(`[data-slug="${wanted}"] [data-testid="grip"]`)).getBoundingClientRect().toJSON(), slug);
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  };
  const [from, to] = [await grip('skill-reviewer'), await grip('workspace-link-auditor')];
  await studio.browser.action('pointer').move(from).down().move({ ...to, duration: 100 }).up().perform();
  await ordered('skill-reviewer', 'workspace-link-auditor', 'consistency-checker');
  await studio.button('Unassign Consistency Checker', '[data-testid="assigned-skills"]');
  await studio.click(await studio.find('[name="only"]'));
  await studio.click(await studio.find('[data-testid="agent-form"] [role="radiogroup"] label:nth-child(2) input'));
  await studio.click(await studio.find('[name="delete_skill"]'));
  await until(async () => (await stored())?.tools?.length === 13, 'the tools');
  const agent = await stored();
  assert.deepEqual(agent.skills.map((/** @type {{ slug: string }} */ one) => one.slug), ['skill-reviewer', 'workspace-link-auditor']);
  assert.deepEqual([agent.notes, agent.only, agent.tools.includes('delete_skill')], ['Check each claim against the pages. Name the page.', true, false]);
  await machine.command.json('agent', 'create', 'Scribe', '--notes', 'Write short sentences.');
  await studio.find('[data-testid="agent"][data-name="Scribe"]');
  await studio.pictures('agents');
  await studio.button('Delete', '[data-testid="agent-form"]');
  await studio.shows('toast', 'Deleted Fact checker');
  await until(async () => (await stored()) === undefined, 'the deletion');
  await studio.button('Undo', '[data-testid="toast"]');
  await studio.find('[data-testid="agent"][data-name="Fact checker"]');
  assert.deepEqual((await stored()).skills, agent.skills);
  await studio.button('Start chat', '[data-testid="agent-form"]');
  await studio.shows('chat-agent', 'Fact checker');
  await studio.click(await studio.one('chat-agent'));
  await studio.find('[data-testid="palette-option"]');
  await studio.pictures('chat-agents');
}));
