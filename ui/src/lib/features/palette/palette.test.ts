import { beforeEach, describe, expect, it } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { FolderPick } from './folderPick.svelte';
import { QuickOpen } from './quickOpen.svelte';

let made: Bench;

beforeEach(async () => {
  fakeTimers();
  made = await bench();
});

describe('a folder', () => {
  it('that was used lately is only taken at once where nothing can be lost', async () => {
    const pick = new FolderPick(made.client);
    await pick.start('');
    await flushPromises();
    const [recent] = pick.choices;
    if (!recent) throw new Error('no recent folder');
    expect(pick.enter(recent, true)).toBe(recent.path);
    expect(pick.typed).toBe('');
    // Into it first: nothing is exported to the folder that happens to be the first one.
    expect(pick.enter(recent, false)).toBeNull();
    expect(pick.typed).toBe(`${recent.path}/`);
    await flushPromises();
    expect(pick.choices[0]?.kind).toBe('this');
  });
});

describe('a file of skills', () => {
  it('is offered and taken only where one is asked for', async () => {
    const pick = new FolderPick(made.client);
    await pick.start('/home/ada/o');
    await flushPromises();
    expect(pick.choices).toEqual([]);
    await pick.start('~/o', true);
    await flushPromises();
    const [file] = pick.choices;
    expect(file).toEqual({ kind: 'file', path: '/home/ada/one.skill', name: 'one.skill' });
    expect(file && pick.enter(file, false)).toBe('/home/ada/one.skill');
    if (file) pick.descend(file);
    await flushPromises();
    expect(pick.choices.map((choice) => pick.enter(choice, false))).toEqual(['/home/ada/one.skill']);
  });

  it('may be typed from the home folder', async () => {
    const pick = new FolderPick(made.client);
    expect(await pick.resolve('~/one.skill')).toBe('/home/ada/one.skill');
    expect(await pick.resolve('/tmp/x.zip')).toBe('/tmp/x.zip');
  });
});

describe('going to a line', () => {
  it('lists no files before the number is typed', async () => {
    const quick = new QuickOpen(made.client, () => []);
    quick.start();
    await flushPromises();
    expect(quick.items.length).toBeGreaterThan(0);
    quick.type(':');
    await flushPromises();
    expect([quick.items, quick.reading, quick.position]).toEqual([[], false, null]);
    quick.type(':12');
    await flushPromises();
    expect([quick.items, quick.position]).toEqual([[], { line: 12, column: 1 }]);
  });
});
