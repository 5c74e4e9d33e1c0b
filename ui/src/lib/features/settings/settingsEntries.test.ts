import { beforeEach, expect, it } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { type Control, loadEntries, searchEntries, type SettingsEntry } from '$lib/features/settings';
import { createApp } from '$lib/app/createApp';
import { FEATURES } from '$lib/app/features';
import type { Services } from '$lib/workbench/services';

let app: Services;
let entries: readonly SettingsEntry[];

beforeEach(async () => {
  fakeTimers();
  app = createApp(new FakeCore());
  await app.lifecycle.start();
  await flushPromises();
  entries = await loadEntries(app);
});

const found = (query: string): string[] => searchEntries(entries, app.contributions.of('settingsSections'), query).map(({ entry }) => entry.id);
function control<K extends Control['kind']>(id: string, kind: K): Extract<Control, { kind: K }> {
  const one = entries.find((entry) => entry.id === id)?.control;
  if (one?.kind !== kind) throw new Error(`${id} isn’t a ${kind}`);
  return one as Extract<Control, { kind: K }>;
}

it('are shown in the order of their sections', () => {
  const order = (section: string): string[] => entries.filter((entry) => entry.section === section).map(({ id }) => id);
  expect(order('general')).toEqual(['theme', 'zoom', 'motion']);
  expect(order('models')).toEqual(['model', 'providers', 'local-models', 'model-keys']);
  expect(order('data')).toEqual(['home', 'database', 'workspace', 'workspace-database', 'log', 'export', 'sample', 'key-file']);
  expect([...new Set(entries.map(({ section }) => section))]).toEqual(app.contributions.of('settingsSections').map(({ id }) => id));
});

it('run only commands that exist', () => {
  const ids = entries.flatMap(({ control }) => (control.kind === 'commands' ? control.ids : control.kind === 'fact' ? Object.keys(control.commands ?? {}) : []));
  expect(ids.length).toBeGreaterThan(5);
  expect(ids.filter((id) => app.commands.get(id) === undefined)).toEqual([]);
});

it('that exist twice, or are in an unknown section, don’t load', async () => {
  const load = (entry: SettingsEntry): Promise<unknown> =>
    loadEntries(createApp(new FakeCore(), [...FEATURES, { id: 'extra', settings: () => Promise.resolve({ entries: () => [entry] }) }]));
  const [theme] = entries;
  if (!theme) throw new Error('there are no settings');
  await expect(load(theme)).rejects.toThrow('setting theme exists twice');
  await expect(load({ ...theme, id: 'other', section: 'nowhere' as never })).rejects.toThrow('unknown section, nowhere');
});

it('are found by title, description, other words and section, with what matched', () => {
  expect(found('font size')).toContain('code-size');
  expect(found('autosave')).toEqual(['autosave', 'drafts']);
  expect(found('sandbox memory')).toEqual(['script-memory_mib']);
  expect(found('appearance dark')).toEqual(['theme']);
  expect([found('zebra'), found(' ')]).toEqual([[], []]);
  const [hit] = searchEntries(entries, app.contributions.of('settingsSections'), 'theme');
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
  expect(app.editor.presentation.wraps('a.py')).toBe(true);
  prose.turn(true);
  code.reset();
  expect(app.settings.get('ui.wrap')).toBeNull();
  app.settings.set('ui.wrap', 'yes');
  app.settings.set('ui.code_size', 99);
  expect([prose.on(), code.changed(), control('code-size', 'choice').value()]).toEqual([true, false, '13']);
});
