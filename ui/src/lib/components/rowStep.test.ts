import { expect, it } from 'vitest';
import { rowStep } from './rowStep';

const step = (key: string, altKey: boolean, first: boolean, last: boolean): number | null => rowStep({ key, altKey } as KeyboardEvent, { first, last });

it('a row of a form moves with Alt and an arrow, not beyond the ends of its list', () => {
  expect([step('ArrowUp', true, false, false), step('ArrowDown', true, false, false)]).toEqual([-1, 1]);
  expect([step('ArrowUp', true, true, false), step('ArrowDown', true, false, true)]).toEqual([null, null]);
  expect([step('ArrowUp', false, false, false), step('Enter', true, false, false)]).toEqual([null, null]);
});
