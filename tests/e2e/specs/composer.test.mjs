import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const MAIN = `---
name: release-notes
description: Writes release notes from a list of changes. Use before a release.
---
# Release notes

List what users notice first.
`;
const PROMPT = 'Write release notes for these changes: {{ changes }}\n';
const MODULE = '{\n  "template_id": "predict",\n  "signature": "changes: str -> notes: str"\n}\n';

/** @param {string} id @param {object} args */
const propose = (id, args) => ({ then: { reply: { tool_calls: [{ id, name: 'propose_skill', arguments: { name: 'release-notes', ...args } }] } } });
/** @param {string} text */
const say = (text) => ({ then: { reply: { chunks: [text] } } });

/** @param {Studio} studio @param {string} text */
async function send(studio, text) {
  await studio.click(await studio.find('[data-testid="chat-input"]'));
  await studio.paste(text);
  await studio.press('Enter');
}

/** @param {Studio} studio @param {string} words */
const answered = (studio, words) => until(async () => (await studio.words('[data-testid="chat-messages"]')).includes(words), words);

test('a skill is composed, reviewed and accepted in part', onMachine(async (machine) => {
  const model = await Model.start(
    propose('a', { summary: 'Release notes from a list of changes', files: [{ path: 'SKILL.md', content: MAIN }, { path: 'prompts/notes.j2', content: '{% if changes %}' }] }),
    propose('b', { summary: 'Release notes from a list of changes', files: [{ path: 'prompts/notes.j2', content: PROMPT }, { path: 'approach/tone.md', content: 'Plain words, no marketing.\n' }] }),
    say('Have a look at the proposal.'),
    propose('c', { summary: 'Release notes, with a DSPy module', files: [{ path: 'dspy/notes.json', content: MODULE, fallback: 'prompts/notes.j2' }] }),
    say('The module is in it.'),
    say('Notes: tea is faster.'),
    propose('d', { summary: 'Shorter notes', files: [{ path: 'prompts/notes.j2', content: 'Briefly: {{ changes }}\n' }] }),
    say('Shorter now.'),
  );
  try {
    await machine.command.json('model', 'add', 'local', '--kind', 'openai-compatible', '--base-url', model.address, '--model', 'tiny');
    const studio = await machine.start();
    await studio.run('Compose a skill in a chat');
    await send(studio, 'writes release notes from a list of changes');
    await answered(studio, 'Have a look at the proposal.');
    assert.equal(await studio.count('[data-tool="propose_skill"][data-status="failed"]'), 1, 'the invalid version');
    await studio.find('[data-testid="chat-proposal"][data-status="open"]');
    await studio.pictures('composer-chat');
    await studio.button('Review', '[data-testid="chat-proposal"]');
    await studio.find('[data-testid="proposal"] .cm-editor');
    assert.deepEqual((await studio.allWords('[data-testid="proposal-file"] .path')).sort(), ['SKILL.md', 'approach/tone.md', 'prompts/notes.j2', 'skill.json']);
    await studio.pictures('composer-review');
    // Asking for changes goes on in the chat.
    await studio.click(await studio.one('proposal-ask'));
    await studio.paste('Add a DSPy module');
    await studio.press('Enter');
    await answered(studio, 'The module is in it.');
    await studio.button('Review', 'li:last-child [data-testid="chat-proposal"]');
    await until(async () => (await studio.allWords('[data-testid="proposal-file"] .path')).includes('dspy/notes.json'), 'the module');
    // Editing in place.
    await studio.click(await studio.find('[data-testid="proposal-file"][data-path="prompts/notes.j2"]'));
    await until(async () => (await studio.words('[data-testid="proposal"] .cm-editor')).includes('Write release notes'), 'the prompt');
    await studio.click(await studio.find('[data-testid="proposal"] .cm-content'));
    await studio.press('Ctrl+Home');
    await studio.type('Politely. ');
    await until(async () => (await studio.words('[data-testid="proposal-files"]')).includes('Edited'), 'the edit');
    // Accepting a part.
    await studio.click(await studio.find('[aria-label="Accept approach/tone.md"]'));
    await studio.pictures('composer-edited');
    await studio.button('Accept 4 of 5 files');
    await studio.find('[data-testid="decided"]');
    const shown = await machine.command.json('skill', 'show', 'release-notes');
    assert.deepEqual([shown.origin, shown.lifecycle, shown.trust_tier], ['llm', 'verified', 2]);
    const paths = shown.entries.map((/** @type {{ path: string }} */ one) => one.path).sort();
    assert.deepEqual(paths, ['SKILL.md', 'dspy/notes.json', 'prompts/notes.j2', 'skill.json']);
    assert.match((await machine.command.json('skill', 'show', 'release-notes', '--path', 'prompts/notes.j2')).text, /^Politely\. Write/);
    const run = await machine.command.json('run', 'release-notes', 'prompts/notes.j2', '--param', 'changes=faster tea');
    assert.equal(run.text, 'Notes: tea is faster.');
    // A proposal for a skill that changed meanwhile can't be accepted.
    await studio.run('Show chat');
    await send(studio, 'Make it shorter');
    await answered(studio, 'Shorter now.');
    await machine.command.json('skill', 'set', 'release-notes', '--description', 'Writes release notes. Use before a release.');
    await studio.button('Accept', 'li:last-child [data-testid="chat-proposal"]');
    await until(async () => (await studio.words('[data-testid="toast"]')).includes('was changed after'), 'the refusal');
    await studio.button('Review', 'li:last-child [data-testid="chat-proposal"]');
    await studio.one('proposal-stale');
    await studio.pictures('composer-stale');
    // Merged with the skill, it keeps what both changed.
    await studio.button('Merge with the present skill');
    await until(async () => (await studio.count('[data-testid="proposal-stale"]')) === 0, 'the merge');
    await studio.button('Accept');
    await studio.find('[data-testid="decided"]');
    assert.match((await machine.command.json('skill', 'show', 'release-notes', '--path', 'prompts/notes.j2')).text, /^Briefly: /);
    assert.equal((await machine.command.json('skill', 'show', 'release-notes')).description, 'Writes release notes. Use before a release.');
  } finally {
    await model.end();
  }
}));
