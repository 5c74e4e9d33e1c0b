import { beforeEach, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;
let stop: () => void = () => undefined;

async function open(path: string): Promise<void> {
  app.files.open(core.find('timeline-builder').summary, path);
  await flushPromises();
}

const type = (text: string): void => app.tabs.document?.content.replace(text);
const edits = (): number => core.callsOf('skill/edit').length;

beforeEach(async () => {
  stop();
  fakeTimers();
  vi.stubGlobal('window', new EventTarget());
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
  stop = app.autosave.follow();
  await open('prompts/order.j2');
});

it('saves nothing by default', async () => {
  type('one');
  await vi.advanceTimersByTimeAsync(5_000);
  expect([app.autosave.choice, edits()]).toEqual(['off', 0]);
});

it('saves after a pause', async () => {
  app.autosave.choose('delay');
  type('one');
  await vi.advanceTimersByTimeAsync(600);
  type('one two');
  await vi.advanceTimersByTimeAsync(600);
  expect(edits()).toBe(0);
  await vi.advanceTimersByTimeAsync(600);
  expect(edits()).toBe(1);
  expect(app.tabs.document?.content.dirty).toBe(false);
});

it('saves when another file or window is in front', async () => {
  app.autosave.choose('focus');
  type('one');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(edits()).toBe(0);
  await open('SKILL.md');
  expect(edits()).toBe(1);
  await open('prompts/order.j2');
  type('two');
  window.dispatchEvent(new Event('blur'));
  await flushPromises();
  expect(edits()).toBe(2);
});
