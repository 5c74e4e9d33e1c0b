import { describe, expect, it } from 'vitest';
import { BlockSplitter } from './blocks';

const blocks = (text: string): string[] => new BlockSplitter().split(text).flat();

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

  it('of a text that arrives are those of the whole text, and only the last changes', () => {
    const text = 'A b.\n\n1. C `d`.\n\n2. x\n\n```\ne\n\nf\n```\n\n- a\n\n- b\n\n| a |\n| - |\n| b |\n\nG.';
    const splitter = new BlockSplitter();
    let before: string[] = [];
    for (let end = 1; end <= text.length; end++) {
      const now = splitter.split(text.slice(0, end)).flat();
      const unchanged = Math.max(0, before.length - 2);
      expect(now.slice(0, unchanged)).toEqual(before.slice(0, unchanged));
      expect(now).toEqual(blocks(text.slice(0, end)));
      before = now;
    }
    expect(before.join('\n')).toBe(text);
  });

  it('of another text have nothing of the former one', () => {
    const splitter = new BlockSplitter();
    splitter.split('```\na\n\nb');
    expect(splitter.split('c\n\nd\n\ne').flat()).toEqual(['c\n', 'd\n', 'e']);
  });

  it('come in groups, and full ones stay the same objects', () => {
    const splitter = new BlockSplitter();
    const paragraphs = Array.from({ length: 100 }, (_, number) => `Paragraph ${number}.`);
    const before = splitter.split(paragraphs.slice(0, 70).join('\n\n'));
    const after = splitter.split(paragraphs.join('\n\n'));
    expect([before.map((group) => group.length), after.map((group) => group.length)]).toEqual([[32, 32, 6], [32, 32, 32, 4]]);
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, true]);
    expect(after.flat().map((block) => block.trim())).toEqual(paragraphs);
  });

  it('are divided when they grow very long', () => {
    const lines = Array.from({ length: 3_000 }, (_, number) => `let value_${number} = ${number};`);
    const code = blocks(`\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n\nEnd.`);
    expect(code.length).toBeGreaterThan(4);
    expect(code.slice(0, -1).every((block) => block.startsWith('```ts\n') && block.trimEnd().endsWith('```') && block.length < 20_000)).toBe(true);
    expect(code.flatMap((block) => block.split('\n').filter((line) => line.startsWith('let ')))).toEqual(lines);
    expect(code.at(-1)).toBe('End.');

    const items = lines.map((line, number) => `${number + 1}. ${line}`);
    const list = blocks(items.join('\n'));
    expect([list.length > 4, list.join('\n')]).toEqual([true, items.join('\n')]);
    expect(list.every((block) => /^\d+\. /.test(block))).toBe(true);

    const paragraph = 'word '.repeat(20_000);
    expect([blocks(paragraph).join(''), Math.max(...blocks(paragraph).map((block) => block.length)) <= 16 * 1024]).toEqual([paragraph, true]);
  });
});
