import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { Commands, type KeyPress } from '$lib/commands';
import { Keymap } from './keymap.svelte';

let b: Bench;
let commands: Commands;
let keymap: Keymap;
const [save, find] = [vi.fn(), vi.fn()];

const press = (key: string, more: Partial<KeyPress> = {}): boolean =>
  commands.press({ key, code: `Key${key.toUpperCase()}`, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });

beforeEach(async () => {
  fakeTimers();
  vi.resetAllMocks();
  b = await bench();
  commands = new Commands();
  keymap = new Keymap(b.settings, commands);
  commands.add([
    { id: 'file.save', group: 'File', title: 'Save', keys: ['Ctrl+S'], run: save },
    { id: 'file.find', group: 'File', title: 'Find', keys: ['Ctrl+F', 'F3'], run: find },
    { id: 'file.plain', group: 'File', title: 'Plain', run: () => undefined },
  ]);
});

const stored = async (): Promise<unknown> => {
  await vi.advanceTimersByTimeAsync(10);
  await flushPromises();
  return b.core.settings['ui.keys'];
};

it('has the default shortcuts until they are changed, which applies at once', async () => {
  expect(commands.keyOf('file.save')).toBe('Ctrl+S');
  keymap.put('file.save', 'shift+ctrl+x'.replace('shift', 'Shift').replace('ctrl', 'Ctrl'), 'Ctrl+S');
  expect(commands.keysOf('file.save')).toEqual(['Ctrl+Shift+X']);
  expect([press('s'), press('x', { shiftKey: true })]).toEqual([false, true]);
  expect(save).toHaveBeenCalledOnce();
  expect(await stored()).toEqual({ 'file.save': ['Ctrl+Shift+X'] });
});

it('adds one, takes one away, and goes back', async () => {
  keymap.put('file.find', 'F7');
  expect(commands.keysOf('file.find')).toEqual(['Ctrl+F', 'F3', 'F7']);
  keymap.remove('file.find', 'Ctrl+F');
  expect(commands.keyOf('file.find')).toBe('F3');
  keymap.put('file.save', 'F9');
  keymap.reset('file.find');
  expect(commands.keysOf('file.find')).toEqual(['Ctrl+F', 'F3']);
  expect(await stored()).toEqual({ 'file.save': ['Ctrl+S', 'F9'] });
  const before = keymap.resetAll();
  expect(keymap.changed).toBe(0);
  expect(await stored()).toBeNull();
  keymap.restore(before);
  expect(commands.keysOf('file.save')).toEqual(['Ctrl+S', 'F9']);
});

it('stores nothing when all shortcuts are the defaults again', async () => {
  keymap.remove('file.save', 'Ctrl+S');
  expect(commands.keysOf('file.save')).toEqual([]);
  expect(await stored()).toEqual({ 'file.save': [] });
  keymap.put('file.save', 'Ctrl+S');
  expect(keymap.isChanged('file.save')).toBe(false);
  expect(await stored()).toBeNull();
});

it('what was chosen comes before a default with the same key, and both are named', () => {
  keymap.put('file.find', 'Ctrl+S');
  expect(keymap.others('file.find', 'Ctrl+S').map((one) => one.title)).toEqual(['Save']);
  press('s');
  expect([save.mock.calls.length, find.mock.calls.length]).toEqual([0, 1]);
});

it('names the shortcuts that a chord begins like', () => {
  keymap.put('file.save', 'Ctrl+K Ctrl+S', 'Ctrl+S');
  expect(keymap.overlapping('file.find', 'Ctrl+K').map((one) => one.title)).toEqual(['Save']);
  keymap.put('file.save', 'Ctrl+K', 'Ctrl+K Ctrl+S');
  expect(keymap.overlapping('file.find', 'Ctrl+K X').map((one) => one.title)).toEqual(['Save']);
  expect(keymap.overlapping('file.save', 'Ctrl+K X')).toEqual([]);
});

it('runs nothing while keys are recorded', () => {
  commands.chord.paused = true;
  expect(press('s')).toBe(false);
  commands.chord.paused = false;
  expect(press('s')).toBe(true);
});

describe('what something else wrote', () => {
  it('may have the former ID of a command, until its shortcut is changed', async () => {
    commands.add([{ id: 'library.list', group: 'Library', title: 'List', keys: ['F4'], run: () => undefined }]);
    b.settings.set('ui.keys', { 'library.lines': ['F9'] });
    expect([commands.keyOf('library.list'), keymap.notes]).toEqual(['F9', []]);
    keymap.put('library.list', 'F10', 'F9');
    expect(await stored()).toEqual({ 'library.list': ['F10'] });
  });

  it('holds at once', async () => {
    b.core.settings['ui.keys'] = { 'file.save': ['F9'] };
    b.core.emit('setting', ['ui.keys']);
    await flushPromises();
    expect(commands.keyOf('file.save')).toBe('F9');
  });

  it.each<[string, unknown, string, string]>([
    ['no object', 'Ctrl+S', 'Ctrl+S', 'Couldn’t load'],
    ['another version’s command', { 'file.fly': ['F9'] }, 'Ctrl+S', 'Unknown command file.fly'],
    ['no list', { 'file.save': 'F9' }, 'Ctrl+S', 'shortcut for “Save”'],
    ['a letter alone', { 'file.save': ['X'] }, 'Ctrl+S', 'can’t be used alone'],
    ['one of two', { 'file.save': ['Ctrl+Oops', 'F9'] }, 'F9', 'isn’t a shortcut'],
    ['what text needs', { 'file.save': ['Ctrl+C'] }, 'Ctrl+S', 'for editing text'],
  ])('and is no shortcut is left out, with a note: %s', (_, value, key, note) => {
    b.settings.set('ui.keys', value);
    expect(commands.keyOf('file.save')).toBe(key);
    expect(keymap.notes).toHaveLength(1);
    expect(keymap.notes[0]).toContain(note);
  });

  it('and this version doesn’t know stays stored', async () => {
    b.settings.set('ui.keys', { 'file.fly': ['F9'] });
    keymap.put('file.save', 'F10');
    expect(await stored()).toEqual({ 'file.fly': ['F9'], 'file.save': ['Ctrl+S', 'F10'] });
  });
});
