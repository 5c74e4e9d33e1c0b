import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore, fail } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import { DeletedSkills } from '$lib/features/actions/deletedSkills.svelte';

let core: FakeCore;
let app: Services;
let deleted: DeletedSkills;

async function remove(slug: string, at: string): Promise<void> {
  const { summary } = core.find(slug);
  await app.client.call('skill/delete', { skill: summary.id, scope: summary.scope });
  summary.updated_at = at;
}

const names = (): string[] => deleted.shown.map(({ name }) => name);
const selected = (): string[] => deleted.selection.rows.map(({ slug }) => slug);

async function open(): Promise<void> {
  deleted = new DeletedSkills(app.client, app.feed);
  await flushPromises();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
  await remove('consistency-checker', '2026-03-01T10:00:00Z');
  await remove('timeline-builder', '2026-03-02T10:00:00Z');
  await flushPromises();
});

describe('deleted skills', () => {
  it('are listed last deleted first, with what is in the one at the cursor', async () => {
    await open();
    expect(deleted.list?.map(({ slug }) => slug)).toEqual(['timeline-builder', 'consistency-checker']);
    expect(deleted.preview.content?.slug).toBe('timeline-builder');
    expect(deleted.preview.path).toBe('SKILL.md');
    deleted.selection.go(1);
    await flushPromises();
    expect(deleted.preview.text).toContain('name: consistency-checker');
  });

  it('are filtered by all words, and the cursor goes to one that is shown', async () => {
    await open();
    deleted.filter('consist check');
    await flushPromises();
    expect(names()).toEqual(['Consistency Checker']);
    expect(deleted.preview.content?.slug).toBe('consistency-checker');
    deleted.filter('nothing like it');
    expect(deleted.selection.rows).toEqual([]);
  });

  it('are selected one by one, as a range, or all', async () => {
    await open();
    expect(selected()).toEqual(['timeline-builder']);
    deleted.selection.go(1, 'extend');
    expect(selected()).toEqual(['timeline-builder', 'consistency-checker']);
    deleted.selection.go(0, 'toggle');
    expect(selected()).toEqual(['consistency-checker']);
    deleted.selection.go(0);
    deleted.selection.selectAll();
    expect(selected()).toHaveLength(2);
  });

  it('come and go with what happens elsewhere', async () => {
    await open();
    const [first] = deleted.shown;
    await app.client.call('skill/restore', { id: first?.id ?? '', scope: 'account' });
    await flushPromises();
    await vi.advanceTimersByTimeAsync(200);
    await flushPromises();
    expect(deleted.list?.map(({ slug }) => slug)).toEqual(['consistency-checker']);
    expect(deleted.preview.content?.slug).toBe('consistency-checker');
  });

  it('say when they can’t be read, and are read again', async () => {
    core.failing.set('skill/deleted', fail('io', 'the disk failed'));
    await open();
    expect(deleted.failure?.message).toBe('the disk failed');
    core.failing.clear();
    deleted.refresh();
    await flushPromises();
    expect(deleted.failure).toBeNull();
    expect(deleted.list).toHaveLength(2);
  });
});

it('restores several deleted skills as one step that can be undone', async () => {
  await open();
  deleted.selection.selectAll();
  await app.actions.structure.restore(deleted.selection.rows);
  await flushPromises();
  expect(app.toasts.list.at(-1)?.message).toBe('Restored 2 skills');
  expect(core.find('timeline-builder').deleted).toBe(false);
  await app.actions.undoStack.undo();
  await flushPromises();
  expect(core.skills.filter((one) => one.deleted)).toHaveLength(2);
});
