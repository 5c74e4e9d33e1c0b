import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore, fail } from '../../../../tests/fake/core';
import { fakeTimers, settle } from '../../../../tests/support';
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
const selected = (): string[] => deleted.selected.map(({ slug }) => slug);

async function open(): Promise<void> {
  deleted = new DeletedSkills(app.client, app.feed);
  await settle();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await settle();
  await remove('consistency-checker', '2026-03-01T10:00:00Z');
  await remove('timeline-builder', '2026-03-02T10:00:00Z');
  await settle();
});

describe('deleted skills', () => {
  it('are listed last deleted first, with what is in the one at the cursor', async () => {
    await open();
    expect(deleted.list?.map(({ slug }) => slug)).toEqual(['timeline-builder', 'consistency-checker']);
    expect(deleted.content?.slug).toBe('timeline-builder');
    expect(deleted.path).toBe('SKILL.md');
    deleted.go(1);
    await settle();
    expect(deleted.text).toContain('name: consistency-checker');
  });

  it('are filtered by all words, and the cursor goes to one that is shown', async () => {
    await open();
    deleted.filter('consist check');
    await settle();
    expect(names()).toEqual(['Consistency Checker']);
    expect(deleted.content?.slug).toBe('consistency-checker');
    deleted.filter('nothing like it');
    expect(deleted.selected).toEqual([]);
  });

  it('are selected one by one, as a range, or all', async () => {
    await open();
    expect(selected()).toEqual(['timeline-builder']);
    deleted.go(1, 'extend');
    expect(selected()).toEqual(['timeline-builder', 'consistency-checker']);
    deleted.go(0, 'toggle');
    expect(selected()).toEqual(['consistency-checker']);
    deleted.go(0);
    deleted.selectAll();
    expect(selected()).toHaveLength(2);
  });

  it('come and go with what happens elsewhere', async () => {
    await open();
    const [first] = deleted.shown;
    await app.client.call('skill/restore', { id: first?.id ?? '', scope: 'account' });
    await settle();
    await vi.advanceTimersByTimeAsync(200);
    await settle();
    expect(deleted.list?.map(({ slug }) => slug)).toEqual(['consistency-checker']);
    expect(deleted.content?.slug).toBe('consistency-checker');
  });

  it('say when they can’t be read, and are read again', async () => {
    core.failing.set('skill/deleted', fail('io', 'the disk is gone'));
    await open();
    expect(deleted.failure?.message).toBe('the disk is gone');
    core.failing.clear();
    deleted.refresh();
    await settle();
    expect(deleted.failure).toBeNull();
    expect(deleted.list).toHaveLength(2);
  });
});

it('restores several deleted skills as one step that can be undone', async () => {
  await open();
  deleted.selectAll();
  await app.actions.structure.restore(deleted.selected);
  await settle();
  expect(app.toasts.list.at(-1)?.message).toBe('Restored 2 skills');
  expect(core.find('timeline-builder').deleted).toBe(false);
  await app.actions.journal.undo();
  await settle();
  expect(core.skills.filter((one) => one.deleted)).toHaveLength(2);
});
