import { Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '$lib/api/generated';
import { difference } from '../document/buffer';
import { columnAt, columnOffset, lineBreakOf, offsetOf, rangeOf } from './positions';

const found = (place: Partial<Diagnostic>): Diagnostic => ({
  rule: 'r', severity: 'error', message: 'm', hint: null, file: null, line: null, column: null, end_line: null, end_column: null, pointer: null, ...place,
});

describe('columns', () => {
  it('count characters, not UTF-16 units', () => {
    const line = 'a😀b';
    expect(columnOffset(line, 1)).toBe(0);
    expect(columnOffset(line, 2)).toBe(1);
    expect(columnOffset(line, 3)).toBe(3);
    expect(columnAt(line, 3)).toBe(3);
    expect(columnAt(line, 4)).toBe(4);
  });

  it('stop at the end of the line', () => {
    expect(columnOffset('ab', 99)).toBe(2);
    expect(offsetOf(Text.of(['ab', 'cd']), 99, 99)).toBe(5);
  });
});

describe('ranges', () => {
  const doc = Text.of(['first line', '  second {{ name }}', '']);

  it.each([
    ['an end', { line: 2, column: 3, end_line: 2, end_column: 9 }, 'second'],
    ['no end: the word', { line: 2, column: 3 }, 'second'],
    ['no column: the line without its indent', { line: 2 }, 'second {{ name }}'],
    ['no line: the first', {}, 'first line'],
    ['a line after the end', { line: 40, column: 3 }, ''],
  ])('with %s', (_, place, text) => {
    const { from, to } = rangeOf(doc, found(place));
    expect(doc.sliceString(from, to)).toBe(text);
  });
});

describe('line ends', () => {
  it.each([
    ['a\nb', '\n'],
    ['a\r\nb\r\n', '\r\n'],
    ['a\r\nb\n', '\n'],
    ['a\r\nb\rc', '\n'],
    ['', '\n'],
  ])('of %j are %j', (text, expected) => {
    expect(lineBreakOf(text)).toBe(expected);
  });

  it.each(['a\nb', 'a\r\nb\r\n', 'a\r\nb\n', 'a\rb', '\uFEFFa\n', '', '\n', 'x\r\n\r\n'])('of %j survive the editor', (text) => {
    const separator = lineBreakOf(text);
    expect(Text.of(text.split(separator)).sliceString(0, undefined, separator)).toBe(text);
  });
});

describe('the smallest replacement', () => {
  it.each([
    ['abc', 'abXc', { from: 2, to: 2, insert: 'X' }],
    ['aa', 'aaa', { from: 2, to: 2, insert: 'a' }],
    ['abc', '', { from: 0, to: 3, insert: '' }],
    ['', 'abc', { from: 0, to: 0, insert: 'abc' }],
    ['one two three', 'one 2 three', { from: 4, to: 7, insert: '2' }],
  ])('of %j by %j', (before, after, expected) => {
    expect(difference(before, after)).toEqual(expected);
    expect(before.slice(0, expected.from) + expected.insert + before.slice(expected.to)).toBe(after);
  });

  it('is nothing for the same text', () => {
    expect(difference('same', 'same')).toBeNull();
  });
});
