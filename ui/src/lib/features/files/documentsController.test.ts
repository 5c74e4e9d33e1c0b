import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore, fail } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

const PATH = 'prompts/order.j2';
let core: FakeCore;
let app: Services;

const toasts = (): string[] => app.toasts.list.map((toast) => toast.message);
const stored = (): string | null | undefined => core.find('timeline-builder').files.get(PATH)?.text;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  app.files.open(core.find('timeline-builder').summary, PATH);
  await flushPromises();
  app.tabs.document?.content.replace('ours');
});

describe('a file that was deleted elsewhere', () => {
  async function typeAndDelete(text: string): Promise<void> {
    app.tabs.document?.content.replace(text);
    core.writeElsewhere('timeline-builder', PATH, null);
    await flushPromises();
  }

  it('is written again by Save, by Save all, and before a run', async () => {
    const { id: skillId } = core.find('timeline-builder').summary;
    const saves = [() => app.documents.save(), () => app.documents.saveAll(), () => app.documents.saveForRun({ scope: 'account', skillId }, [PATH])];
    for (const [index, save] of saves.entries()) {
      await typeAndDelete(`text ${index}`);
      await save();
      await flushPromises();
      expect([stored(), app.tabs.document?.content.dirty, app.tabs.document?.conflict.external]).toEqual([`text ${index}`, false, null]);
    }
  });

  it('stays announced when that fails, with the reason', async () => {
    await typeAndDelete('ours');
    core.failing.set('skill/edit', fail('io', 'disk full'));
    await app.documents.save();
    expect(toasts()).toEqual([`Couldn’t save ${PATH}: disk full`]);
    expect(app.tabs.document?.conflict.external).toMatchObject({ theirs: null });
  });
});

it('a skill that was deleted elsewhere is named when its text is saved, and can be restored', async () => {
  const skill = core.find('timeline-builder');
  skill.deleted = true;
  core.emit('skill', [skill.summary.id]);
  await flushPromises();
  await vi.advanceTimersByTimeAsync(200);
  await app.documents.saveAll();
  expect(toasts()).toEqual([`Couldn’t save ${PATH}: the skill was deleted`]);
  const [toast] = app.toasts.list;
  const [restore] = toast?.actions ?? [];
  if (toast && restore) app.toasts.act(toast, restore);
  await flushPromises();
  expect(toasts()).toEqual(['Restored Timeline Builder']);
  expect(app.tabs.document).toMatchObject({ file: { path: PATH }, content: { dirty: true }, conflict: { external: null } });
  await app.documents.save();
  expect(stored()).toBe('ours');
});

it('text that can’t be saved over a change stays in conflict with it', async () => {
  core.writeElsewhere('timeline-builder', PATH, 'theirs');
  await flushPromises();
  core.failing.set('skill/edit', fail('io', 'disk full'));
  if (app.tabs.document) await app.documents.keepOurs(app.tabs.document);
  expect(toasts()).toEqual([`Couldn’t save ${PATH}: disk full`]);
  expect(app.tabs.document?.conflict.external).toMatchObject({ theirs: 'theirs' });
});

describe('the toast of', () => {
  async function act(label: string): Promise<void> {
    const toast = app.toasts.list.find((one) => one.actions.some((action) => action.label === label));
    const action = toast?.actions.find((one) => one.label === label);
    if (toast && action) app.toasts.act(toast, action);
    await flushPromises();
  }

  async function openAgain(): Promise<void> {
    app.documents.closeTab();
    await flushPromises();
    app.files.open(core.find('timeline-builder').summary, PATH);
    await flushPromises();
  }

  it('discarded changes brings them back to the file that is open, though it was closed meanwhile', async () => {
    await app.documents.discard();
    await openAgain();
    await act('Undo');
    expect([app.tabs.document?.content.text(), app.tabs.document?.content.dirty]).toEqual(['ours', true]);
  });

  it('a closed file discards its text although it is open again', async () => {
    await openAgain();
    expect(app.tabs.document?.content.text()).toBe('ours');
    await act('Discard');
    expect(app.tabs.document?.content.dirty).toBe(false);
  });
});

it('a deletion can’t be undone from its toast once another folder is open', () => {
  app.actions.undoStack.push('Deleted it', { label: 'delete it', undo: () => Promise.resolve(), redo: () => Promise.resolve() });
  app.actions.undoStack.clear();
  expect(toasts()).toEqual([]);
});
