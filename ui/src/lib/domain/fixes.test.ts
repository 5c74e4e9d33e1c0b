import { describe, expect, it } from 'vitest';
import { applied } from './fixes';

const edit = (line: number, column: number, end_line: number, end_column: number, text: string) => ({ line, column, end_line, end_column, text });

describe('edits of a fix', () => {
  it('are made at lines and code points', () => {
    expect(applied('a\n𝄞b: c: d\r\ne', [edit(2, 5, 2, 9, '"c: d"')])).toBe('a\n𝄞b: "c: d"\r\ne');
    expect(applied('one\ntwo', [edit(1, 1, 1, 4, '1'), edit(2, 4, 2, 4, '!')])).toBe('1\ntwo!');
    expect(applied('one\ntwo', [edit(1, 1, 2, 1, '')])).toBe('two');
    expect(applied('', [edit(1, 1, 1, 1, 'x')])).toBe('x');
  });

  it('are not made where there is no such place, or one lies over another', () => {
    expect(applied('one', [edit(2, 1, 2, 1, 'x')])).toBeNull();
    expect(applied('one', [edit(1, 5, 1, 5, 'x')])).toBeNull();
    expect(applied('one', [edit(1, 1, 1, 3, 'x'), edit(1, 2, 1, 3, 'y')])).toBeNull();
  });
});
