import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

const execute = promisify(execFile);
/** Specified as one second; a busy test machine gets five. */
const SEEN_WITHIN = 5_000;
const LINES = 'One.\nTwo.\nThree.\nFour.\nFive.\n';

/** @param {string} path @param {string} text */
async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** @param {string} name @param {string} body */
const skillMd = (name, body) => `---\nname: ${name}\ndescription: Is in the folder of an agent.\n---\n${body}`;

test('skills of agents are in the tree at the first start, and editing them edits their files', onMachine(async (machine) => {
  const home = await machine.place('user');
  const file = join(home, '.claude/skills/meeting-notes/SKILL.md');
  await write(file, skillMd('meeting-notes', LINES));
  await write(join(home, '.codex/skills/sql-helper/SKILL.md'), skillMd('sql-helper', LINES));
  // Of the same name as a linked one: a copy.
  await write(join(home, '.codex/skills/meeting-notes/SKILL.md'), skillMd('meeting-notes', 'Another one.\n'));
  const studio = await machine.start();
  await studio.one('tree-item', '[data-skill="sql-helper"][data-scope="account"]');
  await studio.shows('linked-skills', '2 skills in Claude Code and Codex');
  await until(async () => (await studio.count('[data-testid="linked"]')) === 2, 'two linked skills');

  await studio.open('meeting-notes', 'SKILL.md');
  await studio.press('Ctrl+Home');
  await studio.press('Ctrl+End');
  await studio.type('Six.');
  await studio.press('Ctrl+S');
  await studio.unsaved(false);
  await until(async () => (await readFile(file, 'utf8')) === skillMd('meeting-notes', `${LINES}Six.`), 'the edit in the file');
  assert.equal(await readFile(join(home, '.codex/skills/meeting-notes/SKILL.md'), 'utf8'), skillMd('meeting-notes', 'Another one.\n'));

  // Changed on disk.
  await writeFile(file, skillMd('meeting-notes', 'Written by another program.\n'));
  await until(async () => (await studio.text()).includes('Written by another program.'), 'the change on disk in the editor', { deadline: SEEN_WITHIN, every: 20 });
  await studio.unsaved(false);
}));

test('a change on disk is merged by hunk with what is being typed', onMachine(async (machine) => {
  const home = await machine.place('user');
  const file = join(home, '.claude/skills/meeting-notes/SKILL.md');
  await write(file, skillMd('meeting-notes', LINES));
  const studio = await machine.start();
  await studio.open('meeting-notes', 'SKILL.md');
  await studio.press('Ctrl+End');
  await studio.type('Six.');
  await studio.unsaved(true);
  await writeFile(file, skillMd('meeting-notes', LINES.replace('One.', 'ONE.')));
  await studio.one('external');
  await studio.button('Merge changes', '[data-testid="external"]');
  await until(async () => /ONE\.[\s\S]*Six\./.test(await studio.text()), 'both changes in the editor');
  await studio.press('Ctrl+S');
  await studio.unsaved(false);
  await until(async () => (await readFile(file, 'utf8')) === skillMd('meeting-notes', `${LINES.replace('One.', 'ONE.')}Six.`), 'both changes in the file');
}));

test('the tree follows git when another branch is checked out', onMachine(async (machine) => {
  const folder = await machine.place('repository');
  const git = (/** @type {string[]} */ ...args) => execute('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], { cwd: folder });
  await git('init', '-q', '-b', 'main');
  await write(join(folder, '.claude/skills/house-style/SKILL.md'), skillMd('house-style', LINES));
  await git('add', '.');
  await git('commit', '-q', '-m', 'Add the house style');
  await git('checkout', '-q', '-b', 'topic');
  await write(join(folder, '.claude/skills/release-notes/SKILL.md'), skillMd('release-notes', LINES));
  await git('add', '.');
  await git('commit', '-q', '-m', 'Add release notes');
  const studio = await machine.start();
  await studio.run('Open folder');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await studio.press('Enter');
  await studio.one('tree-item', '[data-skill="release-notes"][data-scope="workspace"]');
  await studio.one('tree-item', '[data-skill="house-style"][data-scope="workspace"]');
  assert.equal((await git('status', '--porcelain')).stdout, '', 'linking leaves nothing for git to see');
  await git('checkout', '-q', 'main');
  await until(async () => (await studio.count('[data-skill="release-notes"]')) === 0, 'the skill of the other branch to go');
  await git('checkout', '-q', 'topic');
  await studio.one('tree-item', '[data-skill="release-notes"][data-scope="workspace"]');
  // Its folder and branch, and whether there is something to commit.
  await studio.open('release-notes', 'SKILL.md', 'workspace');
  await studio.press('Ctrl+End');
  await studio.type('More.');
  await studio.press('Ctrl+S');
  await studio.unsaved(false);
  await studio.button('Info', '[data-testid="inspector"]');
  await studio.shows('linked-folder', /\.claude\/skills\/release-notes/);
  await studio.shows('linked-folder', /Claude Code · git: topic/);
  await studio.button('Unlink', '[data-testid="linked-folder"]');
  await studio.absent('linked-folder');
  await studio.button('Undo', '[data-testid="toast"]');
  await studio.one('linked-folder');
}));
