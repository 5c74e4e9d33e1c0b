import { beforeEach, expect, it } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, settle } from '../../../../tests/support';
import { type Control, type Entry, searchEntries } from '$lib/features/settings';
import { settingsEntries } from './settingsEntries';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let app: Services;
let entries: Entry[];

beforeEach(async () => {
  fakeTimers();
  app = createApp(new FakeCore());
  await app.lifecycle.start();
  await settle();
  entries = settingsEntries(app, app.preferences);
});

const found = (query: string): string[] => searchEntries(entries, query).map(({ entry }) => entry.id);
function control<K extends Control['kind']>(id: string, kind: K): Extract<Control, { kind: K }> {
  const one = entries.find((entry) => entry.id === id)?.control;
  if (one?.kind !== kind) throw new Error(`${id} is no ${kind}`);
  return one as Extract<Control, { kind: K }>;
}

it('have one id each', () => {
  expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
});

it('are found by title, description, other words and section, with what matched', () => {
  expect(found('font size')).toContain('code-size');
  expect(found('autosave')).toEqual(['drafts']);
  expect(found('sandbox memory')).toEqual(['script-memory_mib']);
  expect(found('appearance dark')).toEqual(['theme']);
  expect([found('zebra'), found(' ')]).toEqual([[], []]);
  const [hit] = searchEntries(entries, 'theme');
  expect(hit?.title).toEqual([0, 1, 2, 3, 4]);
});

it('say that they differ from the default, and go back to it', () => {
  const theme = control('theme', 'choice');
  theme.choose('dark');
  expect([theme.value(), theme.changed(), app.theme.choice]).toEqual(['dark', true, 'dark']);
  theme.reset();
  expect([theme.value(), theme.changed()]).toEqual(['system', false]);
  const size = control('code-size', 'choice');
  size.choose('18');
  expect([app.preferences.codeSize, size.changed()]).toEqual([18, true]);
  size.reset();
  expect(app.preferences.codeSize).toBe(13);
});

it('that share a place leave each other alone, and what can’t be read counts as the default', () => {
  const [prose, code] = [control('wrap-prose', 'switch'), control('wrap-code', 'switch')];
  expect([prose.on(), code.on()]).toEqual([true, false]);
  code.turn(true);
  prose.turn(false);
  expect(app.settings.get('ui.wrap')).toEqual({ code: true, prose: false });
  expect(app.editor.wraps('a.py')).toBe(true);
  prose.turn(true);
  code.reset();
  expect(app.settings.get('ui.wrap')).toBeNull();
  app.settings.set('ui.wrap', 'yes');
  app.settings.set('ui.code_size', 99);
  expect([prose.on(), code.changed(), control('code-size', 'choice').value()]).toEqual([true, false, '13']);
});
