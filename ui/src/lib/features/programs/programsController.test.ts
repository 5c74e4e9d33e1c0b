import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;

const toasts = (app: Services): string[] => app.toasts.list.map((toast) => toast.message);

/** A window, with its status bar looking at the process. */
async function openWindow(): Promise<Services> {
  const app = createApp(core);
  await app.lifecycle.start();
  app.dspy.programs.watch();
  await flushPromises();
  return app;
}

async function ready(app: Services): Promise<void> {
  core.programs.manifest();
  await app.dspy.programs.refresh();
  await flushPromises();
}

beforeEach(() => {
  fakeTimers();
  core = new FakeCore();
  core.programs.outdated = ['one', 'two'].map((artifact) => ({
    skill: 'consistency-checker', title: 'Consistency Checker', scope: 'account', artifact, path: `dspy/${artifact}.json`, dspy: '3.1.0', again: true,
  }));
});

describe('what another version of DSPy optimized', () => {
  it('is said once, when the process first runs', async () => {
    const app = await openWindow();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(core.callsOf('optimize/outdated')).toEqual([]);
    await ready(app);
    expect(toasts(app)).toEqual(['2 programs compiled with another DSPy version']);
    const [toast] = app.toasts.list;
    if (toast?.actions[0]) app.toasts.act(toast, toast.actions[0]);
    expect([app.layout.view, app.settingsPage.section]).toEqual(['settings', 'dspy']);
    await ready(app);
    expect(core.callsOf('optimize/outdated')).toHaveLength(1);
    expect(toasts(app)).toEqual([]);
  });

  it('isn’t said again by another window, but for another version of DSPy', async () => {
    await ready(await openWindow());
    await vi.advanceTimersByTimeAsync(100);
    const second = await openWindow();
    await ready(second);
    expect([toasts(second), core.callsOf('optimize/outdated').length]).toEqual([[], 1]);
    core.settings['ui.dspy_announced'] = '3.2.0';
    const third = await openWindow();
    await ready(third);
    expect(toasts(third)).toHaveLength(1);
  });

  it('isn’t said when there is nothing, or where it is in sight', async () => {
    const { outdated, status: idle } = core.programs;
    core.programs.outdated = [];
    const app = await openWindow();
    await ready(app);
    expect(toasts(app)).toEqual([]);
    core.programs.outdated = outdated;
    core.programs.status = idle;
    // Every start with this version would look through all skills again.
    const next = await openWindow();
    await ready(next);
    expect(core.callsOf('optimize/outdated')).toHaveLength(1);
    delete core.settings['ui.dspy_announced'];
    core.programs.status = idle;
    const other = await openWindow();
    other.dspy.openSettings();
    await ready(other);
    expect(toasts(other)).toEqual([]);
    expect(core.callsOf('optimize/outdated')).toHaveLength(2);
  });

  it('is said at the first start after an update, before the process runs', async () => {
    core.programs.status = { ...core.programs.status, dspy: '3.4.1' };
    core.settings['ui.dspy_announced'] = '3.2.0';
    const app = await openWindow();
    expect(app.dspy.programs.status?.state).toBe('idle');
    expect(toasts(app)).toEqual(['2 programs compiled with another DSPy version']);
    expect(core.settings['ui.dspy_announced']).toBe('3.4.1');
  });

  it('starts no process', async () => {
    const app = await openWindow();
    core.programs.unavailable = 'its file is missing';
    core.programs.retry();
    await app.dspy.programs.refresh();
    await flushPromises();
    expect(app.dspy.programs.status?.state).toBe('unavailable');
    expect(core.callsOf('optimize/outdated')).toEqual([]);
  });
});
