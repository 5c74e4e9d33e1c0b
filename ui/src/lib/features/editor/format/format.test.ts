import { describe, expect, it } from 'vitest';
import { type Edit, formatEdits, type Lines } from './format';

function apply(text: string, edits: readonly Edit[]): string {
  return edits.toReversed().reduce((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), text);
}

const formatted = async (path: string, text: string, lines: Lines | null = null): Promise<string> => apply(text, await formatEdits(path, text, lines));

describe('formatting', () => {
  it('indents JSON and keeps its comments; what is no JSON stays, with the reason and the line', async () => {
    expect(await formatted('skill.json', '{"a":1, // one\n"b":[1,2]}')).toBe('{\n  "a": 1, // one\n  "b": [1, 2]\n}\n');
    await expect(formatted('skill.json', '{\n  "a": 1,\n  "b" 2\n}')).rejects.toMatchObject({ line: 3 });
    expect(await formatted('skill.json', '')).toBe('');
  });

  it('keeps the frontmatter of markdown byte for byte, and its line breaks', async () => {
    const front = '---\nname:   untidy\ndescription: "x"   \nlist: [a,b]\n---\n';
    const body = '\n\n# One\n* a\n* b\n\n| a | b |\n|-|-|\n| long cell | c |\n\nA line\nand `code`.\n\n```py\nx=1\n```\n';
    const text = await formatted('SKILL.md', front + body);
    expect(text.startsWith(front)).toBe(true);
    expect(text.slice(front.length)).toBe('\n# One\n\n- a\n- b\n\n| a         | b   |\n| --------- | --- |\n| long cell | c   |\n\nA line\nand `code`.\n\n```py\nx=1\n```\n');
    expect(await formatted('SKILL.md', text)).toBe(text);
  });

  it('formats YAML', async () => {
    expect(await formatted('a.yaml', 'a:   1 # one\nb:\n    - 2\n')).toBe('a: 1 # one\nb:\n  - 2\n');
    await expect(formatted('a.yaml', 'a: [1\nb: 2\n')).rejects.toThrow();
  });

  it('only tidies scripts, and no text in quotes', async () => {
    const text = 'def a():  \n\tx = """one  \n\ttwo  \n"""  \n\treturn x\n\n\n\n';
    expect(await formatted('a.py', text)).toBe('def a():\n    x = """one  \n\ttwo  \n"""\n    return x\n');
    // Tabs and blanks in one indentation: only its author knows what it means.
    expect(await formatted('a.py', 'if a:\n\tb\n  \tc  \n')).toBe('if a:\n\tb\n  \tc\n');
    expect(await formatted('run.sh', 'cat <<EOF  \nkeep  \nEOF\necho  \n')).toBe('cat <<EOF\nkeep  \nEOF\necho\n');
    expect(await formatted('a.j2', '{% if a %}  \nx\t\n{% endif %}')).toBe('{% if a %}\nx\n{% endif %}\n');
  });

  it('formats chosen lines only', async () => {
    expect(await formatted('a.j2', 'a  \nb  \nc  \n', { from: 2, to: 2 })).toBe('a  \nb\nc  \n');
  });

  it('says that it knows nothing of a language', async () => {
    await expect(formatted('a.txt', 'x')).rejects.toThrow('No formatter');
  });
});
