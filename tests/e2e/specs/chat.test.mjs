import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const SKILL = {
  name: 'tea-times',
  title: 'Tea Times',
  description: 'Says how long each tea takes. Use it when somebody makes tea.',
  content: '# Tea Times\n\n- Black tea takes 4 minutes.\n- Green tea takes 2 minutes.',
};
/** @param {string} id @param {string} name @param {unknown} args */
const call = (id, name, args) => ({ then: { reply: { tool_calls: [{ id, name, arguments: args }] } } });
/** @param {string} text */
const say = (text) => ({ then: { reply: { chunks: text.match(/.{1,12}/gs) ?? [], delay_ms: 5 } } });

/** @param {Studio} studio @param {string} text */
async function send(studio, text) {
  await studio.click(await studio.find('[data-testid="chat-input"]'));
  await studio.paste(text);
  await studio.press('Enter');
}

test('a skill is written and changed in a chat', onMachine(async (machine) => {
  const model = await Model.start(
    say('I can keep that as a skill.\n\n| tea | minutes |\n|---|---|\n| black | 4 |\n| green | 2 |\n\n```js\nconst minutes = 4;\n```\n\nShall I?'),
    call('a', 'create_skill', SKILL),
    call('b', 'update_skill', { name: 'tea-times', operation: 'find_replace', find: '4 minutes', replace: '5 minutes' }),
    say('**Tea Times** is kept.'),
    say('It is kept, really.'),
  );
  try {
    await machine.command.json('model', 'add', 'local', '--kind', 'openai-compatible', '--base-url', model.address, '--model', 'tiny');
    const studio = await machine.start();
    await studio.run('Show chat');
    await studio.one('chat-empty');
    await studio.pictures('chat-empty');
    await send(studio, 'Black tea takes 4 minutes, green tea 2. Remember that.');
    await until(async () => (await studio.words('[data-testid="chat-messages"]')).includes('Shall I?'), 'the answer');
    await studio.find('[data-testid="chat-answer"] table');
    await studio.pictures('chat-answer');
    await send(studio, 'Yes, please');
    await studio.find('[data-testid="chat-permission"][data-tool="create_skill"]');
    assert.match(await studio.words('[data-testid="chat-permission"]'), /Create the skill tea-times in the account\?/);
    await studio.pictures('chat-permission');
    await studio.button('Allow once', '[data-testid="chat-permission"]');
    await studio.find('[data-testid="chat-permission"][data-tool="update_skill"] .cm-editor');
    await studio.pictures('chat-diff');
    await studio.button('Allow for this chat', '[data-testid="chat-permission"]');
    await until(async () => (await studio.words('[data-testid="chat-messages"]')).includes('Tea Times is kept.'), 'the end');
    await studio.pictures('chat-tools');
    assert.match((await machine.command.json('skill', 'show', 'tea-times', '--path', 'SKILL.md')).text, /5 minutes/);
    // Undo takes the edit back, not the skill.
    await studio.button('Undo', '[data-tool="update_skill"]');
    await until(async () => (await studio.words('[data-tool="update_skill"]')).includes('Undone'), 'the undo');
    assert.match((await machine.command.json('skill', 'show', 'tea-times', '--path', 'SKILL.md')).text, /4 minutes/);
    // Another answer is a version; both stay.
    await studio.button('Write another answer', 'li:last-child');
    await until(async () => (await studio.words('[data-testid="chat-messages"]')).includes('It is kept, really.'), 'another answer');
    await studio.button('Previous version', 'li:last-child');
    await until(async () => (await studio.words('[data-testid="chat-messages"]')).includes('Tea Times is kept.'), 'the first answer');
  } finally {
    await model.end();
  }
}));

test('notes are edited in the settings', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.run('Open settings');
  await studio.button('Notes', '[data-testid="settings"]');
  await studio.click(await studio.find('[name="notes-account"]'));
  await studio.paste('I write dates as 2026-11-25.');
  await until(async () => (await machine.command.json('notes', 'show')).account === 'I write dates as 2026-11-25.', 'the notes to be stored');
  await studio.pictures('settings-notes');
}));
