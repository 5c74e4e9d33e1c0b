import { beforeEach, describe, expect, it } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { WorkspaceList } from './workspaceList.svelte';

let b: Bench;
let workspaces: WorkspaceList;

const shown = (): [string, boolean][] => (workspaces.list ?? []).map(({ name, trusted }) => [name, trusted]);

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  workspaces = new WorkspaceList(b.client, b.feed);
  await flushPromises();
});

describe('the list of workspaces', () => {
  it('says which of them are trusted', () => {
    expect(shown()).toEqual([
      ['notes', true],
      ['tracker', false],
      ['old', false],
    ]);
  });

  it('changes the trust in one that isn’t open', async () => {
    await workspaces.trust('/home/ada/code/tracker', true);
    expect(b.core.callsOf('workspace/trust')).toEqual([{ trusted: true, path: '/home/ada/code/tracker' }]);
    expect(shown()[1]).toEqual(['tracker', true]);
  });

  it('forgets one, and restores it with its trust', async () => {
    const notes = workspaces.list?.[0];
    if (!notes) throw new Error('no workspaces');
    await workspaces.forget(notes.path);
    expect(shown().map(([name]) => name)).toEqual(['tracker', 'old']);
    await workspaces.remember({ ...notes, trusted: true });
    expect(b.core.callsOf('workspace/open')).toEqual([{ path: notes.path }]);
    expect(shown().some(([name, trusted]) => name === 'notes' && trusted)).toBe(true);
  });

  it('follows what other windows do', async () => {
    await b.client.call('workspace/forget', { path: '/media/usb/old' });
    await flushPromises();
    expect(shown()).toHaveLength(2);
  });

  it('keeps the loaded entries when reloading fails', async () => {
    b.core.failing.set('workspace/recent', fail('busy', 'another program is writing'));
    workspaces.refresh();
    await flushPromises();
    expect(workspaces.failure?.message).toBe('another program is writing');
    expect(shown()).toHaveLength(3);
  });

  it('rejects if a decision can’t be stored', async () => {
    b.core.failing.set('workspace/trust', fail('readOnly', 'the database can’t be written'));
    await expect(workspaces.trust('/home/ada/notes', false)).rejects.toThrow();
    expect(shown()[0]).toEqual(['notes', true]);
  });
});
