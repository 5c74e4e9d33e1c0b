import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';

const SKILLS = ['consistency-checker', 'quarterly-report-standards', 'skill-reviewer', 'timeline-consistency', 'workspace-link-auditor'];

test('the first start shows the skills that come with the Studio, and what to do next', onMachine(async (machine) => {
  const studio = await machine.start();
  for (const skill of SKILLS) await studio.one('tree-item', `[data-skill="${skill}"][data-scope="account"]`);
  assert.equal(await studio.count('[data-testid="tab"]'), 0);
  await studio.shows('shell', /sample workspace/i);
  await studio.shows('status-bar', /5 skills/);
}));

test('the sample workspace opens by keyboard alone, and is open again after a restart', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.run('Open sample workspace');
  await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
  const name = await studio.words('[data-testid="status-bar"]');
  assert.doesNotMatch(name, /no workspace/i);
  await studio.window.close();

  const again = await machine.start();
  await again.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
}));

test('a folder that is not there is refused in the palette, which stays open', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.run('Open folder');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(join(machine.folder, 'not-there'));
  await studio.press('Enter');
  await studio.shows('palette', /not-there|no such|no folder|isn’t|not a folder|can.t/i);
  await studio.one('folder-input');
  await studio.press('Escape');
  await studio.absent('folder-input');
}));
