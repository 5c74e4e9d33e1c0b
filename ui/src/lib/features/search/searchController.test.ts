import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { StringBuffer } from '$lib/features/editor/document/buffer';
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
  await flushPromises();
};
const view = (): NonNullable<Services['search']['view']> => {
  if (!app.search.view) throw new Error('nothing was searched');
  return app.search.view;
};

async function search(text: string, replacement?: string): Promise<void> {
  await app.search.show(replacement !== undefined);
  view().search.shown(true);
  view().search.query.set({ text, ...(replacement === undefined ? {} : { replacement }) });
  await wait();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

it('Ctrl+Shift+F and Ctrl+Shift+H show it beside the editor, and the tree comes back', async () => {
  app.layout.view = 'settings';
  app.layout.sidebar.toggle();
  expect(press('F', 'KeyF', { shiftKey: true })).toBe(true);
  await flushPromises();
  let focused: string | null = null;
  view().search.focusRequest.attach((field) => (focused = field));
  expect(app.layout.sidebar.view).toBe('search');
  expect([app.layout.view, app.layout.sidebar.shown]).toEqual(['editor', true]);
  expect([view().search.query.replacing, focused]).toEqual([false, 'text']);
  expect(press('H', 'KeyH', { shiftKey: true })).toBe(true);
  await flushPromises();
  expect(view().search.query.replacing).toBe(true);
  app.navigation.focusTree();
  expect(app.layout.sidebar.view).toBe('skills');
});

describe('a match', () => {
  it('is opened at its place, where it is selected; a glance leaves the keyboard in the list', async () => {
    await search('contradictions between');
    const row = view().search.list.rows.find((one) => one.kind === 'match');
    if (row?.kind !== 'match') throw new Error('no match');
    let focused = 0;
    app.tabs.groups.active.focusRequest.attach(() => (focused += 1));
    view().search.list.click(row);
    await flushPromises();
    const { line, column, end_line, end_column } = row.match;
    expect(app.tabs.document?.file.path).toBe(row.file.path);
    expect(app.tabs.document?.revealTarget).toEqual({ line, column, to: { line: end_line, column: end_column }, quiet: true });
    expect([focused, app.tabs.active?.kind === 'file' && app.tabs.active.preview]).toEqual([0, true]);
    view().search.list.activate(row);
    await tick();
    expect([focused, app.tabs.active?.kind === 'file' && app.tabs.active.preview]).toEqual([1, false]);
    expect(app.tabs.document?.revealTarget?.quiet).toBeUndefined();
  });

  it('is stepped to with F4, once something was found', async () => {
    const f4 = (): boolean => press('F4', 'F4', { ctrlKey: false });
    expect(f4()).toBe(false);
    await search('contradictions');
    expect(f4()).toBe(true);
    await flushPromises();
    expect(app.tabs.groups.tabs).toHaveLength(1);
    const first = view().search.list.cursor;
    f4();
    expect(view().search.list.cursor).not.toBe(first);
    expect(press('F4', 'F4', { ctrlKey: false, shiftKey: true })).toBe(true);
    expect(view().search.list.cursor).toBe(first);
  });
});

describe('replacing', () => {
  it('is asked for with Ctrl+Alt+Enter, only where it is shown', async () => {
    const ask = (): boolean => press('Enter', 'Enter', { altKey: true });
    expect(ask()).toBe(false);
    await search('time', 'hour');
    expect(ask()).toBe(true);
    await flushPromises();
    expect(view().replacing.asking).toBe(true);
    view().replacing.cancel();
    app.layout.view = 'proposals';
    expect(ask()).toBe(false);
  });

  it('waits for unsaved text to be saved', async () => {
    app.files.open(skill('timeline-builder'), 'prompts/order.j2');
    await flushPromises();
    const document = app.tabs.document;
    document?.content.attach(new StringBuffer('The harbour, typed.'));
    document?.content.edited();
    await search('e', 'E');
    const { plan } = view().replacing;
    expect(plan.unsaved.map((one) => one.paths)).toEqual([['prompts/order.j2']]);
    await view().replacing.apply();
    await flushPromises();
    expect(view().replacing.skipped).toContainEqual(expect.objectContaining({ key: { scope: 'account', id: skill('timeline-builder').id }, failure: expect.objectContaining({ code: 'unsavedDraft' }) as unknown }));
    await view().save(skill('timeline-builder'));
    await wait();
    expect(core.find('timeline-builder').files.get('prompts/order.j2')?.text).toBe('The harbour, typed.');
    expect(view().replacing.plan.unsaved).toEqual([]);
  });

  it('opens a draft without a tab, for review before it is saved', async () => {
    const { id } = skill('timeline-builder');
    await app.client.call('draft/save', { skill: id, scope: 'account', path: 'prompts/order.j2', base_revision: 1, text: 'A draft.' });
    await wait();
    await search('e', 'E');
    expect(view().unsaved({ scope: 'account', id }, 'prompts/order.j2')).toBe(true);
    await view().save({ scope: 'account', id }, 'prompts/order.j2');
    await flushPromises();
    expect(app.tabs.document?.file.path).toBe('prompts/order.j2');
    expect(app.tabs.document?.content.dirty).toBe(true);
  });
});

it('another folder is searched anew', async () => {
  await search('e');
  const before = core.callsOf('text/search').length;
  await app.workspace.open('/home/ada/notes');
  await wait();
  expect(core.callsOf('text/search').length).toBeGreaterThan(before);
  expect(view().search.results.skills.some(({ skill: found }) => found.scope === 'workspace')).toBe(true);
});
