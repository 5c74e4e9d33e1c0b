import { beforeEach, describe, expect, it } from 'vitest';
import { FakeCore, fail } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;

const toast = (): string | undefined => app.toasts.list.at(-1)?.message;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

describe('the databases', () => {
  it('are checked, and problems are reported with the next step', async () => {
    app.commands.run('data.check');
    await flushPromises();
    expect(toast()).toBe('The account database has no problems');
    core.databases.findings = ['row 3 missing from index idx_skills'];
    app.commands.run('data.check');
    await flushPromises();
    expect(toast()).toBe('The account database is damaged: 1 problem found');
    expect(app.toasts.list.at(-1)?.actions.map(({ label }) => label)).toEqual(['Restore…']);
  });

  it('are backed up to a folder', async () => {
    app.commands.run('data.backup');
    await flushPromises();
    await app.folders.choose('/home/ada/code');
    await flushPromises();
    expect(toast()).toContain('/home/ada/code/inklings-account');
    expect(app.overlays.current).toBeNull();
  });

  it('are restored from a backup, and the window reloads', async () => {
    core.databases.copies.add('/tmp/one.db');
    app.commands.run('data.restore');
    expect(app.databases.what).toBe('account database');
    await app.databases.apply();
    expect(core.callsOf('db/restore')).toEqual([]);
    app.databases.choose(' /tmp/one.db ');
    await app.databases.apply();
    await flushPromises();
    expect(core.callsOf('db/restore')).toEqual([{ scope: 'account', from: '/tmp/one.db' }]);
    expect(core.window.reloads).toBe(1);
    expect(app.databases.restoring).toBeNull();
  });

  it('stay as they are when a backup can’t be restored', async () => {
    core.failing.set('db/restore', fail('busy', 'a run is still in progress', { hint: 'cancel it or wait until it has finished' }));
    app.databases.restore('account');
    app.databases.choose('/tmp/one.db');
    await app.databases.apply();
    expect(app.databases.failure?.message).toBe('a run is still in progress');
    expect(app.databases.restoring).toBe('account');
    expect(core.window.reloads).toBe(0);
  });

  it('show the progress of a restore, and are unchanged when it is canceled', async () => {
    const { databases } = app;
    core.databases.copies.add('/tmp/one.db');
    databases.restore('account');
    databases.choose('/tmp/one.db');
    core.hold('db/restore');
    const restoring = databases.apply();
    await flushPromises();
    core.far('db/restore', 512, 1024);
    expect(databases.call.fraction).toBe(0.5);
    databases.close();
    expect(core.stops).toBe(1);
    // The dialog stays until the answer is there.
    expect(databases.restoring).toBe('account');
    core.failing.set('db/restore', fail('cancelled', 'copying was cancelled'));
    core.release('db/restore');
    await restoring;
    expect(databases.failure).toBeNull();
    expect(core.window.reloads).toBe(0);
    databases.close();
    expect(databases.restoring).toBeNull();
  });

  it('show no message for a canceled backup or check', async () => {
    for (const [operation, command] of [['db/backup', 'data.backup'], ['db/check', 'data.check']] as const) {
      core.failing.set(operation, fail('cancelled', 'it was cancelled'));
      app.commands.run(command);
      await flushPromises();
    }
    await app.folders.choose('/home/ada/code');
    await flushPromises();
    expect(app.toasts.list).toEqual([]);
  });

  it('show why a backup failed', async () => {
    core.failing.set('db/backup', fail('readOnly', '/root can’t be written', { hint: 'check the permissions' }));
    app.commands.run('data.backup');
    await flushPromises();
    await app.folders.choose('/home/ada/code');
    await flushPromises();
    expect(toast()).toBe('Couldn’t back up the account database: /root can’t be written');
  });

  it('keep unsaved input of other windows before these reload', async () => {
    core.emit('database', [], 'account', 'elsewhere');
    await flushPromises();
    expect(core.window.reloads).toBe(1);
  });

  it('of a workspace are offered where there is one', () => {
    expect(app.commands.get('data.checkWorkspace')?.when?.()).toBe(false);
  });
});

it('exports all skills that aren’t hidden by the workspace', async () => {
  app.commands.run('data.exportAll');
  await flushPromises();
  expect(app.exporter.skills).toHaveLength(3);
});
