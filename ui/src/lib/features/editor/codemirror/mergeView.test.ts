import { expect, it } from 'vitest';
import { withoutSpaces } from './mergeView';

const changes = (a: string, b: string): [string, string][] =>
  withoutSpaces(a, b).map(({ fromA, toA, fromB, toB }) => [a.slice(fromA, toA), b.slice(fromB, toB)]);

it.each([
  ['indentation', 'a\n  b\nc', 'a\n      b\nc'],
  ['what trails', 'a  \nb', 'a\nb\t'],
  ['the number of blanks', 'one two', 'one    two'],
])('passes over %s', (_, a, b) => {
  expect(changes(a, b)).toEqual([]);
});

it('sees words that were parted or joined, and new lines', () => {
  expect(changes('foobar', 'foo bar')).toEqual([['', ' ']]);
  expect(changes('foo bar', 'foobar')).toEqual([[' ', '']]);
  expect(changes('a\nb', 'a\n\nb')).toHaveLength(1);
  expect(changes('  one', 'two')).not.toEqual([]);
});
