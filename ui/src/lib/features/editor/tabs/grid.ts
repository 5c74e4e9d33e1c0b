// How groups of tabs share the editor area: a tree of rows and columns. Pure, so that every shape can be tested.

export type Direction = 'row' | 'column';
export type Side = 'left' | 'right' | 'up' | 'down';

export interface Part {
  grid: Grid;
  /** Fraction of the split; all fractions add up to 1. */
  size: number;
}

export interface Split {
  direction: Direction;
  parts: readonly Part[];
}

/** The id of a group, or a split. */
export type Grid = string | Split;

/** In fractions of the editor area. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The movable line between two parts. */
export interface Seam {
  /** The split, and the index of the part before the line. */
  path: readonly number[];
  index: number;
  direction: Direction;
  before: Box;
  after: Box;
}

/** Smallest fraction of a split. */
const LEAST = 0.1;
const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

export const directionOf = (side: Side): Direction => (side === 'left' || side === 'right' ? 'row' : 'column');

/** The groups in reading order. */
export function groupsOf(grid: Grid): string[] {
  return typeof grid === 'string' ? [grid] : grid.parts.flatMap((part) => groupsOf(part.grid));
}

/** Adds a group beside another one, which gives it half of its size. */
export function putBeside(grid: Grid, at: string, side: Side, added: string): Grid {
  const direction = directionOf(side);
  const first = side === 'left' || side === 'up';
  if (grid === at) {
    const halves = [{ grid: at, size: 0.5 }, { grid: added, size: 0.5 }];
    return { direction, parts: first ? halves.reverse() : halves };
  }
  if (typeof grid === 'string') return grid;
  const index = grid.parts.findIndex((part) => part.grid === at);
  const known = grid.parts[index];
  if (known && grid.direction === direction) {
    const halves = [{ grid: at, size: known.size / 2 }, { grid: added, size: known.size / 2 }];
    return { direction, parts: grid.parts.toSpliced(index, 1, ...(first ? halves.reverse() : halves)) };
  }
  return { ...grid, parts: grid.parts.map((part) => ({ ...part, grid: putBeside(part.grid, at, side, added) })) };
}

/** Removes a group; the others share its size. Null if it was the only one. */
export function without(grid: Grid, id: string): Grid | null {
  if (typeof grid === 'string') return grid === id ? null : grid;
  const left = grid.parts.flatMap(({ grid: one, size }) => {
    const rest = without(one, id);
    return rest === null ? [] : [{ grid: rest, size }];
  });
  return joined(grid.direction, left);
}

/** Replaces a split of one part by that part, and merges nested splits of one direction. */
function joined(direction: Direction, parts: readonly Part[]): Grid | null {
  const [only] = parts;
  if (!only) return null;
  if (parts.length === 1) return only.grid;
  const flat = parts.flatMap(({ grid, size }) =>
    typeof grid !== 'string' && grid.direction === direction ? grid.parts.map((part) => ({ ...part, size: part.size * size })) : [{ grid, size }],
  );
  const sum = flat.reduce((total, part) => total + part.size, 0);
  return { direction, parts: flat.map((part) => ({ ...part, size: part.size / sum })) };
}

/** The rectangle of each group. */
export function boxesOf(grid: Grid, box: Box = WHOLE): Map<string, Box> {
  if (typeof grid === 'string') return new Map([[grid, box]]);
  return new Map(partBoxes(grid, box).flatMap(([part, inner]) => [...boxesOf(part.grid, inner)]));
}

export function seamsOf(grid: Grid, box: Box = WHOLE, path: readonly number[] = []): Seam[] {
  if (typeof grid === 'string') return [];
  const parts = partBoxes(grid, box);
  return parts.flatMap(([part, before], index) => {
    const after = parts[index + 1]?.[1];
    const own: Seam[] = after ? [{ path, index, direction: grid.direction, before, after }] : [];
    return [...own, ...seamsOf(part.grid, before, [...path, index])];
  });
}

/** Moves a seam so that the part before it has `share` of what it has together with the one after it. */
export function moveSeam(grid: Grid, { path, index }: Pick<Seam, 'path' | 'index'>, share: number): Grid {
  if (typeof grid === 'string') return grid;
  const [next, ...rest] = path;
  if (next !== undefined) {
    return { ...grid, parts: grid.parts.map((part, at) => (at === next ? { ...part, grid: moveSeam(part.grid, { path: rest, index }, share) } : part)) };
  }
  const [before, after] = [grid.parts[index], grid.parts[index + 1]];
  if (!before || !after) return grid;
  const both = before.size + after.size;
  const size = both * Math.max(LEAST, Math.min(1 - LEAST, share));
  return { ...grid, parts: grid.parts.toSpliced(index, 2, { ...before, size }, { ...after, size: both - size }) };
}

function partBoxes({ direction, parts }: Split, box: Box): [Part, Box][] {
  let at = direction === 'row' ? box.x : box.y;
  return parts.map((part) => {
    const room = (direction === 'row' ? box.width : box.height) * part.size;
    const inner = direction === 'row' ? { ...box, x: at, width: room } : { ...box, y: at, height: room };
    at += room;
    return [part, inner];
  });
}
