import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, settle } from '../../../../tests/support';
import { StringBuffer } from '$lib/features/editor/buffer';
// Loaded before the first test, so that what a key press brings is there at the next turn.
import './searchViewModel.svelte';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;

const skill = (slug: string): ReturnType<FakeCore['find']>['summary'] => core.find(slug).summary;
const press = (key: string, code: string, more = {}): boolean =>
  app.commands.press({ key, code, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });
const wait = async (ms = 300): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
};
const place = (): NonNullable<Services['search']['view']> => {
  if (!app.search.view) throw new Error('nothing was searched');
  return app.search.view;
};

async function search(text: string, replacement?: string): Promise<void> {
  await app.search.show(replacement !== undefined);
  place().search.shown(true);
  place().search.set({ text, ...(replacement === undefined ? {} : { replacement }) });
  await wait();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await settle();
});

it('Ctrl+Shift+F and Ctrl+Shift+H show it beside the editor, and the tree comes back', async () => {
  app.layout.view = 'settings';
  app.layout.set({ showSidebar: false });
  expect(press('F', 'KeyF', { shiftKey: true })).toBe(true);
  await settle();
  let focused: string | null = null;
  place().search.focusRequest.attach((field) => (focused = field));
  expect(app.layout.side).toBe('search');
  expect([app.layout.view, app.layout.showSidebar]).toEqual(['editor', true]);
  expect([place().search.replacing, focused]).toEqual([false, 'text']);
  expect(press('H', 'KeyH', { shiftKey: true })).toBe(true);
  await settle();
  expect(place().search.replacing).toBe(true);
  app.navigation.focusTree();
  expect(app.layout.side).toBe('skills');
});

describe('a match', () => {
  it('is opened at its place, where it is selected; a glance leaves the keyboard in the list', async () => {
    await search('contradictions between');
    const row = place().search.rows.find((one) => one.kind === 'match');
    if (row?.kind !== 'match') throw new Error('no match');
    let focused = 0;
    app.tabs.group.focusRequest.attach(() => (focused += 1));
    place().search.click(row);
    await settle();
    const { line, column, end_line, end_column } = row.match;
    expect(app.tabs.document?.path).toBe(row.file.path);
    expect(app.tabs.document?.goal).toEqual({ line, column, to: { line: end_line, column: end_column }, quiet: true });
    expect([focused, app.tabs.active?.kind === 'file' && app.tabs.active.preview]).toEqual([0, true]);
    place().search.activate(row);
    await tick();
    expect([focused, app.tabs.active?.kind === 'file' && app.tabs.active.preview]).toEqual([1, false]);
    expect(app.tabs.document?.goal?.quiet).toBeUndefined();
  });

  it('is stepped to with F4, once something was found', async () => {
    const f4 = (): boolean => press('F4', 'F4', { ctrlKey: false });
    expect(f4()).toBe(false);
    await search('contradictions');
    expect(f4()).toBe(true);
    await settle();
    expect(app.tabs.list).toHaveLength(1);
    const first = place().search.cursor;
    f4();
    expect(place().search.cursor).not.toBe(first);
    expect(press('F4', 'F4', { ctrlKey: false, shiftKey: true })).toBe(true);
    expect(place().search.cursor).toBe(first);
  });
});

describe('replacing', () => {
  it('is asked for with Ctrl+Alt+Enter, only where it is shown', async () => {
    const ask = (): boolean => press('Enter', 'Enter', { altKey: true });
    expect(ask()).toBe(false);
    await search('time', 'hour');
    expect(ask()).toBe(true);
    await settle();
    expect(place().replacing.asking).toBe(true);
    place().replacing.cancel();
    app.layout.view = 'proposals';
    expect(ask()).toBe(false);
  });

  it('waits for unsaved text to be saved', async () => {
    app.files.open(skill('timeline-builder'), 'prompts/order.j2');
    await settle();
    const document = app.tabs.document;
    document?.attach(new StringBuffer('The harbour, typed.'));
    document?.edited();
    await search('e', 'E');
    const { plan } = place().replacing;
    expect(plan.unsaved.map((one) => one.paths)).toEqual([['prompts/order.j2']]);
    await place().replacing.apply();
    await settle();
    expect(place().replacing.kept).toContainEqual(expect.objectContaining({ key: { scope: 'account', id: skill('timeline-builder').id }, failure: expect.objectContaining({ code: 'unsavedDraft' }) as unknown }));
    await place().save(skill('timeline-builder'));
    await wait();
    expect(core.find('timeline-builder').files.get('prompts/order.j2')?.text).toBe('The harbour, typed.');
    expect(place().replacing.plan.unsaved).toEqual([]);
  });

  it('opens a draft that is in no tab, to be looked at before it is saved', async () => {
    const { id } = skill('timeline-builder');
    await app.client.call('draft/save', { skill: id, scope: 'account', path: 'prompts/order.j2', base_revision: 1, text: 'A draft.' });
    await wait();
    await search('e', 'E');
    expect(place().unsaved({ scope: 'account', id }, 'prompts/order.j2')).toBe(true);
    await place().save({ scope: 'account', id }, 'prompts/order.j2');
    await settle();
    expect(app.tabs.document?.path).toBe('prompts/order.j2');
    expect(app.tabs.document?.dirty).toBe(true);
  });
});

it('another folder is searched anew', async () => {
  await search('e');
  const before = core.callsOf('text/search').length;
  await app.workspace.open('/home/ada/notes');
  await wait();
  expect(core.callsOf('text/search').length).toBeGreaterThan(before);
  expect(place().search.skills.some(({ skill: found }) => found.scope === 'workspace')).toBe(true);
});
