import { beforeEach, expect, test } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { SkillOverview } from '$lib/api';
import type { Services } from '$lib/workbench/services';
import { lifecycleActions, SkillLifecycle } from './skillLifecycle.svelte';

let core: FakeCore;
let app: Services;
let done: number;
let lifecycle: SkillLifecycle;

const skill = (): SkillOverview => {
  const found = app.catalog.skills.find((one) => one.slug === 'timeline-builder');
  if (!found) throw new Error('no skill');
  return found;
};

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
  done = 0;
  lifecycle = new SkillLifecycle(app, () => (done += 1));
});

test('a deprecation waits for its reason', async () => {
  await lifecycle.change(skill(), 'deprecate');
  expect(lifecycle.deprecating?.name).toBe(skill().name);
  expect(core.callsOf('skill/deprecate')).toEqual([]);
  await lifecycle.deprecate(skill(), 'use another');
  expect(core.callsOf('skill/deprecate')).toEqual([{ skill: skill().id, scope: skill().scope, reason: 'use another' }]);
  expect([skill().lifecycle, done]).toEqual(['deprecated', 1]);
});

test('the other changes are made at once, and shown', async () => {
  for (const [action, state] of [['archive', 'archived'], ['reinstate', 'released']] as const) {
    expect(lifecycleActions(skill().lifecycle)).toContain(action);
    await lifecycle.change(skill(), action);
    expect(skill().lifecycle).toBe(state);
  }
  expect(app.toasts.list.at(-1)?.message).toBe(`${skill().name} is released`);
});

test('a refused change is reported', async () => {
  await lifecycle.change({ ...skill(), id: 'no-such-id' }, 'promote');
  await flushPromises();
  expect([app.toasts.list.at(-1)?.tone, done]).toEqual(['error', 0]);
});
