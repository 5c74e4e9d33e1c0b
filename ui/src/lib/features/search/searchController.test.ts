import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, settle } from '../../../../tests/support';
import { StringBuffer } from '$lib/features/editor/buffer';
// Loaded before the first test, so that what a key press brings is there at the next turn.
import './searchViewModel.svelte';
import { Studio } from '$lib/app/studio.svelte';

let core: FakeCore;
let studio: Studio;

const skill = (slug: string): ReturnType<FakeCore['find']>['summary'] => core.find(slug).summary;
const press = (key: string, code: string, more = {}): boolean =>
  studio.commands.press({ key, code, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });
const wait = async (ms = 300): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
};
const place = (): NonNullable<Studio['search']['view']> => {
  if (!studio.search.view) throw new Error('nothing was searched');
  return studio.search.view;
};

async function search(text: string, replacement?: string): Promise<void> {
  await studio.search.show(replacement !== undefined);
  place().search.shown(true);
  place().search.set({ text, ...(replacement === undefined ? {} : { replacement }) });
  await wait();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  studio = new Studio(core);
  await studio.start();
  await settle();
});

it('Ctrl+Shift+F and Ctrl+Shift+H show it beside the editor, and the tree comes back', async () => {
  studio.layout.view = 'settings';
  studio.layout.set({ showSidebar: false });
  expect(press('F', 'KeyF', { shiftKey: true })).toBe(true);
  await settle();
  let focused: string | null = null;
  place().search.focusRequest.attach((field) => (focused = field));
  expect(studio.layout.side).toBe('search');
  expect([studio.layout.view, studio.layout.showSidebar]).toEqual(['studio', true]);
  expect([place().search.replacing, focused]).toEqual([false, 'text']);
  expect(press('H', 'KeyH', { shiftKey: true })).toBe(true);
  await settle();
  expect(place().search.replacing).toBe(true);
  studio.focusTree();
  expect(studio.layout.side).toBe('skills');
});

describe('a match', () => {
  it('is opened at its place, where it is selected; a glance leaves the keyboard in the list', async () => {
    await search('contradictions between');
    const row = place().search.rows.find((one) => one.kind === 'match');
    if (row?.kind !== 'match') throw new Error('no match');
    let focused = 0;
    studio.tabs.group.focusRequest.attach(() => (focused += 1));
    place().search.click(row);
    await settle();
    const { line, column, end_line, end_column } = row.match;
    expect(studio.tabs.document?.path).toBe(row.file.path);
    expect(studio.tabs.document?.goal).toEqual({ line, column, to: { line: end_line, column: end_column }, quiet: true });
    expect([focused, studio.tabs.active?.kind === 'file' && studio.tabs.active.preview]).toEqual([0, true]);
    place().search.activate(row);
    await tick();
    expect([focused, studio.tabs.active?.kind === 'file' && studio.tabs.active.preview]).toEqual([1, false]);
    expect(studio.tabs.document?.goal?.quiet).toBeUndefined();
  });

  it('is stepped to with F4, once something was found', async () => {
    const f4 = (): boolean => press('F4', 'F4', { ctrlKey: false });
    expect(f4()).toBe(false);
    await search('contradictions');
    expect(f4()).toBe(true);
    await settle();
    expect(studio.tabs.list).toHaveLength(1);
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
    studio.layout.view = 'proposals';
    expect(ask()).toBe(false);
  });

  it('waits for unsaved text to be saved', async () => {
    studio.files.open(skill('timeline-builder'), 'prompts/order.j2');
    await settle();
    const document = studio.tabs.document;
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
    await studio.client.call('draft/save', { skill: id, scope: 'account', path: 'prompts/order.j2', base_revision: 1, text: 'A draft.' });
    await wait();
    await search('e', 'E');
    expect(place().unsaved({ scope: 'account', id }, 'prompts/order.j2')).toBe(true);
    await place().save({ scope: 'account', id }, 'prompts/order.j2');
    await settle();
    expect(studio.tabs.document?.path).toBe('prompts/order.j2');
    expect(studio.tabs.document?.dirty).toBe(true);
  });
});

it('another folder is searched anew', async () => {
  await search('e');
  const before = core.callsOf('text/search').length;
  await studio.workspace.open('/home/ada/notes');
  await wait();
  expect(core.callsOf('text/search').length).toBeGreaterThan(before);
  expect(place().search.skills.some(({ skill: found }) => found.scope === 'workspace')).toBe(true);
});
