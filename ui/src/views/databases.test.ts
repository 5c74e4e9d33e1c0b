import { beforeEach, describe, expect, it } from 'vitest';
import { FakeCore, fail } from '../../tests/fake/core';
import { fakeTimers, settle } from '../../tests/support';
import { Studio } from './studio.svelte';

let core: FakeCore;
let studio: Studio;

const toast = (): string | undefined => studio.toasts.list.at(-1)?.message;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  studio = new Studio(core);
  await studio.start();
  await settle();
});

describe('the databases', () => {
  it('are checked, and what was found is said with the next step', async () => {
    studio.commands.run('data.check');
    await settle();
    expect(toast()).toBe('The account database is intact');
    core.databases.findings = ['row 3 missing from index idx_skills'];
    studio.commands.run('data.check');
    await settle();
    expect(toast()).toBe('The account database is damaged: 1 problem found');
    expect(studio.toasts.list.at(-1)?.actions.map(({ label }) => label)).toEqual(['Restore…']);
  });

  it('are backed up to a folder', async () => {
    studio.commands.run('data.backup');
    await settle();
    await studio.folders.choose('/home/ada/code');
    await settle();
    expect(toast()).toContain('/home/ada/code/inklings-account');
    expect(studio.overlay).toBeNull();
  });

  it('are restored from a backup that is named, and the window is loaded again', async () => {
    core.databases.copies.add('/tmp/one.db');
    studio.commands.run('data.restore');
    expect(studio.databases.what).toBe('account database');
    await studio.databases.apply();
    expect(core.callsOf('db/restore')).toEqual([]);
    studio.databases.path = ' /tmp/one.db ';
    await studio.databases.apply();
    await settle();
    expect(core.callsOf('db/restore')).toEqual([{ scope: 'account', from: '/tmp/one.db' }]);
    expect(core.window.reloads).toBe(1);
    expect(studio.databases.restoring).toBeNull();
  });

  it('stay as they are when a backup can’t be restored', async () => {
    core.failing.set('db/restore', fail('busy', 'a run is still in progress', { hint: 'cancel it or wait until it has finished' }));
    studio.databases.restore('account');
    studio.databases.path = '/tmp/one.db';
    await studio.databases.apply();
    expect(studio.databases.failure?.message).toBe('a run is still in progress');
    expect(studio.databases.restoring).toBe('account');
    expect(core.window.reloads).toBe(0);
  });

  it('of a workspace are offered where there is one', () => {
    expect(studio.commands.get('data.checkWorkspace')?.when?.()).toBe(false);
  });
});

it('exports all skills that aren’t hidden by the workspace', async () => {
  studio.commands.run('data.exportAll');
  await settle();
  expect(studio.exporter.skills).toHaveLength(3);
});
