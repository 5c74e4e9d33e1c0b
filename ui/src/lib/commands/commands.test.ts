import { describe, expect, it, vi } from 'vitest';
import { Commands, normalize, shortcutOf, shortcutProblem, type KeyPress } from '.';

const press = (key: string, code: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key, code, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, ...modifiers,
});

describe('a shortcut', () => {
  it.each([
    [press('p', 'KeyP', { ctrlKey: true }), 'Ctrl+P'],
    [press('P', 'KeyP', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+P'],
    [press('F8', 'F8'), 'F8'],
    [press('Tab', 'Tab', { ctrlKey: true, shiftKey: true }), 'Ctrl+Shift+Tab'],
    [press(',', 'Comma', { ctrlKey: true }), 'Ctrl+,'],
    [press('з', 'KeyP', { ctrlKey: true }), 'Ctrl+P'],
    [press('&', 'Digit1', { ctrlKey: true }), 'Ctrl+1'],
    [press('q', 'KeyA', { ctrlKey: true }), 'Ctrl+Q'],
    [press('s', 'KeyS', { ctrlKey: true, altKey: true }), 'Ctrl+Alt+S'],
  ])('of a key press is what its layout writes', (given, expected) => {
    expect(shortcutOf(given)).toBe(expected);
  });

  it('is the same however it is spelled', () => {
    expect(normalize('Shift+Ctrl+p')).toBe(normalize('Ctrl+Shift+P'));
  });
});

describe('commands', () => {
  it('may share a key where only one of them can run', () => {
    const [one, other] = [vi.fn(), vi.fn()];
    let place = 'one';
    const commands = new Commands();
    commands.add([
      { id: 'a', group: 'Go', title: 'Do one', keys: ['Ctrl+D'], when: () => place === 'one', run: one },
      { id: 'b', group: 'Go', title: 'Do the other', keys: ['Ctrl+D'], when: () => place === 'other', run: other },
    ]);
    const key = press('d', 'KeyD', { ctrlKey: true });
    commands.press(key);
    place = 'other';
    commands.press(key);
    place = 'none';
    expect(commands.press(key)).toBe(false);
    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
  });

  it('run by key only when they can', () => {
    const run = vi.fn();
    let can = false;
    const commands = new Commands();
    commands.add([{ id: 'a', group: 'Go', title: 'Do it', keys: ['Ctrl+D'], when: () => can, run }]);
    const key = press('d', 'KeyD', { ctrlKey: true });
    expect(commands.press(key)).toBe(false);
    expect(commands.available()).toEqual([]);
    can = true;
    expect(commands.press(key)).toBe(true);
    commands.run('a');
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('have one id each', () => {
    const commands = new Commands();
    const one = { id: 'a', group: 'Go', title: 'A', run: () => undefined };
    commands.add([one]);
    expect(() => commands.add([one])).toThrow('exists');
  });

  it('of two strokes wait for the second one, which may be a key alone', () => {
    vi.useFakeTimers();
    const [shortcuts, save] = [vi.fn(), vi.fn()];
    const commands = new Commands();
    let dirty = false;
    commands.add([
      { id: 'a', group: 'Go', title: 'Open shortcuts', keys: ['Ctrl+K Ctrl+S'], run: shortcuts },
      { id: 'b', group: 'Go', title: 'Save all', keys: ['Ctrl+K S'], when: () => dirty, run: save },
    ]);
    const first = press('k', 'KeyK', { ctrlKey: true });
    expect(commands.press(first)).toBe(true);
    expect(commands.chord.pending).toBe('Ctrl+K');
    commands.press(press('s', 'KeyS', { ctrlKey: true }));
    expect([shortcuts.mock.calls.length, commands.chord.pending]).toEqual([1, null]);
    // What can't run now is no command.
    commands.press(first);
    expect(commands.press(press('s', 'KeyS'))).toBe(true);
    expect([save.mock.calls.length, commands.chord.unknown]).toEqual([0, 'Ctrl+K S']);
    dirty = true;
    commands.press(first);
    commands.press(press('s', 'KeyS'));
    expect([save.mock.calls.length, commands.chord.unknown]).toEqual([1, null]);
    // The second stroke is given up.
    commands.press(first);
    expect(commands.chord.cancel()).toBe(true);
    expect(commands.press(press('s', 'KeyS'))).toBe(false);
    commands.press(first);
    vi.advanceTimersByTime(6_000);
    expect(commands.chord.pending).toBeNull();
    vi.useRealTimers();
  });
});

it.each([
  ['Ctrl+K Ctrl+S', ''],
  ['Ctrl+K S', ''],
  ['S Ctrl+K', 'alone'],
  ['Ctrl+K Ctrl+', 'isn’t a shortcut'],
  ['Ctrl+K A B', 'isn’t a shortcut'],
])('a chord such as %s is checked stroke by stroke', (keys, problem) => {
  expect(shortcutProblem(keys)).toContain(problem);
  if (problem === '') expect(shortcutProblem(keys)).toBe('');
});
