import { beforeEach, expect, test, vi } from 'vitest';
import { LINKS, TIMELINE } from '../../../../tests/fake/seed';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { type Fields, textsOf, valuesOf } from './fields.svelte';
import { SkillPage } from './skillPage.svelte';

beforeEach(fakeTimers);

interface Typing extends Bench {
  fields: Fields;
  page: SkillPage;
}

async function typing(): Promise<Typing> {
  const parts = await bench([LINKS, TIMELINE]);
  const page = new SkillPage(parts.client, parts.feed, parts.catalog, parts.settings);
  page.show(parts.core.find('link-auditor').summary);
  await vi.advanceTimersByTimeAsync(500);
  await flushPromises();
  return { ...parts, page, fields: page.fields };
}

const pause = async (ms = 1_000): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await flushPromises();
};

const sent = ({ core }: Bench): unknown[] => core.callsOf('skill/describe').map((call) => call['values']);

test('a pause saves what was typed, and only that', async () => {
  const parts = await typing();
  const { fields, core } = parts;
  fields.type('description', 'Lists broken links');
  await pause(300);
  fields.type('description', 'Lists broken links, with reasons ');
  expect(fields.state).toBe('typed');
  await pause(800);
  expect(core.callsOf('skill/describe')).toHaveLength(0);
  await pause(200);
  expect(sent(parts)).toEqual([{ description: 'Lists broken links, with reasons ' }]);
  expect(core.callsOf('skill/describe')[0]).toMatchObject({ expected: 1 });
  expect(fields.state).toBe('saved');
  expect(core.find('link-auditor').summary.description).toBe('Lists broken links, with reasons');
  // The blank at the end doesn't vanish while the field has the focus.
  expect(fields.text('description')).toBe('Lists broken links, with reasons ');
  fields.leave();
  expect(fields.text('description')).toBe('Lists broken links, with reasons');
});

test('what is typed while it saves is saved after it', async () => {
  const parts = await typing();
  const { fields, core } = parts;
  core.hold('skill/describe');
  fields.type('category', 'a');
  await pause();
  expect(fields.state).toBe('saving');
  fields.type('category', 'ab');
  core.release('skill/describe');
  await pause();
  expect(sent(parts)).toEqual([{ category: 'a' }, { category: 'ab' }]);
  expect(fields.state).toBe('saved');
});

test('a value that is typed back to the stored one is not saved', async () => {
  const parts = await typing();
  parts.fields.type('name', 'Link Auditor!');
  parts.fields.type('name', 'Link Auditor');
  await pause();
  expect(sent(parts)).toEqual([]);
  expect(parts.fields.state).toBe('same');
});

test('each saved change can be undone, one after the other', async () => {
  const { fields, core } = await typing();
  fields.type('category', 'desk');
  await fields.flush();
  fields.type('tags', 'a, b');
  await fields.flush();
  expect(core.find('link-auditor').summary).toMatchObject({ category: 'desk', tags: ['a', 'b'] });
  expect(fields.undoable).toHaveLength(2);
  await fields.undo();
  expect(core.find('link-auditor').summary).toMatchObject({ category: 'desk', tags: [] });
  await fields.undo();
  expect(core.find('link-auditor').summary).toMatchObject({ category: 'general', tags: [] });
  expect(fields.undoable).toHaveLength(0);
});

test('values that can’t be saved stay in their fields, with the reason and a retry', async () => {
  const { fields, core } = await typing();
  fields.type('name', ' ');
  await pause();
  expect(fields.state).toBe('failed');
  expect(fields.failure?.message).toBe('the title is empty');
  expect(fields.text('name')).toBe(' ');
  fields.type('name', 'Auditor');
  expect(fields.state).toBe('typed');
  await pause();
  expect(core.find('link-auditor').summary.name).toBe('Auditor');
});

test('a value that was changed elsewhere meanwhile is a conflict', async () => {
  const { fields, core, client } = await typing();
  const { id, scope } = core.find('link-auditor').summary;
  fields.type('description', 'Mine.');
  await client.call('skill/describe', { skill: id, scope, values: { description: 'Theirs.' } });
  await pause();
  expect(fields.state).toBe('conflict');
  expect(core.find('link-auditor').summary.description).toBe('Theirs.');
  expect(fields.text('description')).toBe('Mine.');
  await fields.save(true);
  await flushPromises();
  expect(core.find('link-auditor').summary.description).toBe('Mine.');
  fields.type('description', 'Again mine.');
  await client.call('skill/describe', { skill: id, scope, values: { description: 'Again theirs.' } });
  await pause();
  fields.discard();
  expect(fields.text('description')).toBe('Again theirs.');
  expect(fields.state).toBe('same');
});

test('values that weren’t saved when the window closed are restored and saved', async () => {
  const parts = await typing();
  const { fields, core, client, feed, catalog, settings } = parts;
  core.failing.set('skill/describe', { code: 'io', message: 'the disk is full', hint: null, fields: null, requestId: '' });
  fields.type('author', 'Ada');
  await pause();
  expect(fields.state).toBe('failed');
  core.failing.clear();
  const later = new SkillPage(client, feed, catalog, settings);
  later.show(core.find('link-auditor').summary);
  await pause(300);
  expect(later.fields.text('author')).toBe('Ada');
  await pause();
  expect(core.find('link-auditor').summary.author).toBe('Ada');
  expect(core.settings['ui.library.typed']).toEqual({});
});

test('leaving the page saves typed values, and another skill shows its own', async () => {
  const { fields, core, page } = await typing();
  fields.type('version', '2.0.0');
  page.show(core.find('timeline-builder').summary);
  await pause();
  expect(core.find('link-auditor').summary.version).toBe('2.0.0');
  expect(fields.text('name')).toBe('Timeline Builder');
  expect(fields.text('version')).toBe('1.0.0');
  expect(fields.state).toBe('same');
});

test('texts are converted to values, empty ones to none', async () => {
  const { core, catalog } = await typing();
  const detail = await catalog.details.load(core.find('timeline-builder').summary);
  if (!detail) throw new Error('no detail');
  expect(textsOf({ ...detail, tags: ['a', 'b c'], triggers: ['one', 'two'] })).toMatchObject({ tags: 'a, b c', triggers: 'one\ntwo', author: '', when_not_to_use: '' });
  expect(valuesOf({ tags: ' a ,, b c', triggers: 'one\n\n two ', author: ' ', when_not_to_use: 'Never.' })).toEqual({ tags: ['a', 'b c'], triggers: ['one', 'two'], author: null, when_not_to_use: 'Never.' });
});

test('the page shows the readiness of each artifact', async () => {
  const { page, core } = await typing();
  page.show(core.find('timeline-builder').summary);
  await pause();
  const entry = page.detail?.entries.find((one) => one.path === 'prompts/order.j2');
  if (!entry) throw new Error('no entry');
  expect(page.readiness(entry)).toMatchObject({ tone: 'warn', label: 'No model configured', remedy: 'models' });
  core.runs.addProvider();
  page.refresh();
  await pause();
  expect(page.readiness(entry)?.label).toMatch(/^Ready/);
});
