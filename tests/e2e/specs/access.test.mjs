import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';

const BEFORE = '{\n  // mine\n  "mcpServers": {\n    "docs": { "command": "npx" }\n  }\n}\n';

/** @param {string} client @param {string} state */
const fileWith = (client, state) => `[data-testid="ai-client"][data-client="${client}"] [data-scope="user"][data-state="${state}"]`;

test('an AI client is connected after its change was shown, and gets its file back', onMachine(async (machine) => {
  const folder = join(await machine.place('user'), '.cursor');
  await mkdir(folder);
  const file = join(folder, 'mcp.json');
  await writeFile(file, BEFORE);
  await writeFile(join(await machine.place('user'), '.claude.json'), '{\n  "a": 1,,\n}\n');
  const studio = await machine.start();
  await studio.run('Connect AI clients');
  await studio.find(fileWith('claude-code', 'broken'));
  await studio.find(fileWith('cursor', 'none'));
  await studio.pictures('access');
  await studio.button('Connect', fileWith('cursor', 'none'));
  await studio.find('[data-testid="client-diff"]');
  await studio.pictures('client-change');
  assert.match(await studio.words('[data-testid="client-diff"]'), /"inklings": \{/);
  assert.equal(await readFile(file, 'utf8'), BEFORE);
  await studio.button('Connect', '[data-testid="client-change"] footer');
  await studio.find(fileWith('cursor', 'current'));
  const config = await readFile(file, 'utf8');
  assert.match(config, /^\{\n {2}\/\/ mine\n[^]*"args": \["serve", "--mcp-stdio"\]/);
  await studio.noDialog();

  // By keyboard: the dialog begins at its first button, and Ctrl+Enter confirms.
  await studio.button('Disconnect', fileWith('cursor', 'current'));
  await studio.find('[data-testid="client-diff"]');
  await studio.press('Escape');
  await studio.absent('client-change');
  assert.equal(await readFile(file, 'utf8'), config);
  await studio.button('Disconnect', fileWith('cursor', 'current'));
  await studio.find('[data-testid="client-diff"]');
  await studio.press('Ctrl+Enter');
  await studio.find(fileWith('cursor', 'none'));
  assert.equal(await readFile(file, 'utf8'), BEFORE);
}));
