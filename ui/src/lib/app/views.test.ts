import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FakeCore } from '../../../tests/fake/core';
import { fakeTimers } from '../../../tests/support';
import { createApp } from './createApp';

it('the shell draws the views that features contribute, and names none of them', () => {
  fakeTimers();
  const { views, commands } = createApp(new FakeCore());
  expect(views.length).toBeGreaterThan(5);
  for (const { command } of views) expect(commands.get(command)?.id).toBe(command);
  const shell = ['app/Shell.svelte', 'app/createApp.ts', 'workbench/contribution.ts'].map((path) => readFileSync(`src/lib/${path}`, 'utf8')).join('\n');
  expect(views.map(({ id }) => id).filter((id) => new RegExp(`['"]${id}['"]`).test(shell))).toEqual([]);
});
