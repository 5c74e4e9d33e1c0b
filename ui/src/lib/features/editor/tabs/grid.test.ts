import { describe, expect, it } from 'vitest';
import { boxesOf, type Grid, groupsOf, moveSeam, putBeside, seamsOf, without } from './grid';

const row = (...parts: [Grid, number][]): Grid => ({ direction: 'row', parts: parts.map(([grid, size]) => ({ grid, size })) });
const column = (...parts: [Grid, number][]): Grid => ({ direction: 'column', parts: parts.map(([grid, size]) => ({ grid, size })) });

describe('putting a group beside another', () => {
  it('halves its room, on the side asked for', () => {
    expect(putBeside('a', 'a', 'right', 'b')).toEqual(row(['a', 0.5], ['b', 0.5]));
    expect(putBeside('a', 'a', 'left', 'b')).toEqual(row(['b', 0.5], ['a', 0.5]));
    expect(putBeside('a', 'a', 'down', 'b')).toEqual(column(['a', 0.5], ['b', 0.5]));
    expect(putBeside('a', 'a', 'up', 'b')).toEqual(column(['b', 0.5], ['a', 0.5]));
  });

  it('stays in the same row, or makes a column within it', () => {
    const two = row(['a', 0.6], ['b', 0.4]);
    expect(putBeside(two, 'b', 'right', 'c')).toEqual(row(['a', 0.6], ['b', 0.2], ['c', 0.2]));
    expect(putBeside(two, 'b', 'down', 'c')).toEqual(row(['a', 0.6], [column(['b', 0.5], ['c', 0.5]), 0.4]));
    expect(groupsOf(putBeside(two, 'a', 'down', 'c'))).toEqual(['a', 'c', 'b']);
  });
});

describe('taking a group away', () => {
  it('gives its room to the others', () => {
    expect(without(row(['a', 0.5], ['b', 0.25], ['c', 0.25]), 'a')).toEqual(row(['b', 0.5], ['c', 0.5]));
    expect(without(row(['a', 0.5], ['b', 0.5]), 'a')).toBe('b');
    expect(without('a', 'a')).toBeNull();
  });

  it('leaves no split of one, and no row within a row', () => {
    expect(without(row(['a', 0.5], [column(['b', 0.5], ['c', 0.5]), 0.5]), 'c')).toEqual(row(['a', 0.5], ['b', 0.5]));
    const nested = column([row(['a', 0.5], ['b', 0.5]), 0.5], ['c', 0.5]);
    expect(without(nested, 'c')).toEqual(row(['a', 0.5], ['b', 0.5]));
    const deep = row(['a', 0.5], [column(['b', 0.5], [row(['c', 0.5], ['d', 0.5]), 0.5]), 0.5]);
    expect(without(deep, 'b')).toEqual(row(['a', 0.5], ['c', 0.25], ['d', 0.25]));
  });
});

describe('where things are', () => {
  const grid = row(['a', 0.25], [column(['b', 0.5], ['c', 0.5]), 0.75]);

  it('covers the area without gaps', () => {
    expect(Object.fromEntries(boxesOf(grid))).toEqual({
      a: { x: 0, y: 0, width: 0.25, height: 1 },
      b: { x: 0.25, y: 0, width: 0.75, height: 0.5 },
      c: { x: 0.25, y: 0.5, width: 0.75, height: 0.5 },
    });
  });

  it('has a seam between each two', () => {
    expect(seamsOf(grid).map(({ path, index, direction }) => [path, index, direction])).toEqual([[[], 0, 'row'], [[1], 0, 'column']]);
  });

  it('moves a seam within bounds, and no other', () => {
    expect(moveSeam(grid, { path: [1], index: 0 }, 0.8)).toEqual(row(['a', 0.25], [column(['b', 0.8], ['c', expect.closeTo(0.2) as number]), 0.75]));
    expect(moveSeam(row(['a', 0.5], ['b', 0.5]), { path: [], index: 0 }, 2)).toEqual(row(['a', 0.9], ['b', expect.closeTo(0.1) as number]));
  });
});
