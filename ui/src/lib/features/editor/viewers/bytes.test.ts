import { expect, it } from 'vitest';
import { fromBase64, hexRows } from './bytes';

it('reads bytes, also those that are no characters', () => {
  expect([...fromBase64('AAH/gEE=')]).toEqual([0, 1, 255, 128, 65]);
});

it('shows sixteen bytes a line, the last one as long as the others', () => {
  const rows = hexRows(Uint8Array.from({ length: 18 }, (_, at) => at + 0x38));
  expect(rows[0]).toEqual({ offset: '00000000', hex: '38 39 3a 3b 3c 3d 3e 3f  40 41 42 43 44 45 46 47', text: '89:;<=>?@ABCDEFG' });
  expect(rows[1]?.offset).toBe('00000010');
  expect(rows[1]?.hex).toHaveLength(48);
  expect(rows[1]?.text).toBe('HI');
});
