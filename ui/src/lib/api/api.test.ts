import { beforeEach, describe, expect, it } from 'vitest';
import { fail } from '../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../tests/support';
import { Scripts } from './scripts.svelte';

let b: Bench;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
});

describe('what scripts can import', () => {
  it('is read once', async () => {
    const scripts = new Scripts(b.client);
    expect((await scripts.functions()).map((one) => one.name)).toContain('search');
    await scripts.load();
    expect(b.core.callsOf('script/functions')).toHaveLength(1);
    expect(scripts.unavailable).toBeNull();
  });

  it('comes with why none can run', async () => {
    b.core.sandboxProblem = 'python.cwasm not found';
    const scripts = new Scripts(b.client);
    await scripts.load();
    expect(scripts.unavailable).toBe('python.cwasm not found');
  });

  it('is asked for again after a failure', async () => {
    const scripts = new Scripts(b.client);
    b.core.failing.set('script/functions', fail('busy', 'not now'));
    expect(await scripts.functions()).toEqual([]);
    b.core.failing.clear();
    expect(await scripts.functions()).not.toEqual([]);
  });
});

it('a setting that was removed elsewhere is removed here, too', async () => {
  b.settings.set('sandbox.limits', { seconds: 5 });
  b.settings.set('ui.theme', 'dark');
  await flushPromises();
  delete b.core.settings['sandbox.limits'];
  b.core.emit('setting', ['sandbox.limits']);
  await flushPromises();
  expect(b.settings.get('sandbox.limits')).toBeUndefined();
  expect(b.settings.get('ui.theme')).toBe('dark');
});

it('a setting that is about to be written outlives what is read meanwhile', async () => {
  b.settings.set('run.limits', { one: {} }, 500);
  await b.settings.load();
  expect(b.settings.get('run.limits')).toEqual({ one: {} });
});
