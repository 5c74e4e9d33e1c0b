import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { languageOf } from './languages';

async function paragraphs(doc: string): Promise<number> {
  const state = EditorState.create({ doc, extensions: [await languageOf('SKILL.md').load()] });
  let count = 0;
  ensureSyntaxTree(state, doc.length, 60_000)?.iterate({ enter: ({ name }) => void (count += name === 'Paragraph' ? 1 : 0) });
  return count;
}

it('a text without blank lines is read in parts, so that a key typed in it reads one of them again', async () => {
  const front = '---\nname: a\n---\n\n';
  expect(await paragraphs(`${front}One\nparagraph\n\nand another.\n`)).toBe(2);
  const lines = Array.from({ length: 2_000 }, (_, number) => `Line ${number} of a text.`);
  expect(await paragraphs(front + lines.join('\n'))).toBeGreaterThan(5);
});
