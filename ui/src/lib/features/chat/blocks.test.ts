import { describe, expect, it } from 'vitest';
import { blocks } from './blocks';

describe('blocks', () => {
  it('end at a blank line', () => {
    expect(blocks('# Title\n\nOne.\nStill one.\n\nTwo.')).toEqual(['# Title\n', 'One.\nStill one.\n', 'Two.']);
  });

  it('keep lists, tables and fenced code whole', () => {
    const list = '1. one\n\n2. two\n\n   more\n\n- three';
    const code = '```js\nlet a;\n\nlet b;\n```';
    expect(blocks(`${list}\n\n${code}\n\nEnd.`)).toEqual([`${list}\n`, `${code}\n`, 'End.']);
    expect(blocks('~~~\n```\n\na\n~~~\n\nb')).toEqual(['~~~\n```\n\na\n~~~\n', 'b']);
  });

  it('of a text that arrives only change at its end', () => {
    const text = 'A b.\n\nC `d`.\n\n```\ne\n\nf\n```\n\nG.';
    let before: string[] = [];
    for (let end = 1; end <= text.length; end++) {
      const now = blocks(text.slice(0, end));
      expect(now.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      before = now;
    }
    expect(before.join('\n')).toBe(text);
  });
});
