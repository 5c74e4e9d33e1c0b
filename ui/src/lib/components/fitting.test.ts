import { describe, expect, it } from 'vitest';
import { fitting } from './fitting';

describe('what has room in a row', () => {
  const widths = [60, 40, 70, 60, 40, 60];

  it('is everything when there is room', () => {
    expect(fitting(widths, 340, 2, 26, 0)).toEqual([true, true, true, true, true, true]);
  });

  it('is the first ones otherwise', () => {
    expect(fitting(widths, 280, 2, 26, 0)).toEqual([true, true, true, true, false, false]);
  });

  it('is always the one that is chosen', () => {
    expect(fitting(widths, 280, 2, 26, 5)).toEqual([true, true, true, false, false, true]);
    expect(fitting(widths, 20, 2, 26, 3)).toEqual([false, false, false, true, false, false]);
  });
});
