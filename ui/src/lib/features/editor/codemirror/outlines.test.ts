import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { blocksOf, relatedTagsAt } from './jinjaBlocks';
import { blocks } from './jinjaEditing';
import { outlineOf } from './outlines';

const remote = (path: string, text: string): string[] => outlineOf(path, text).map(({ name, kind, line, endLine, level }) => `${'  '.repeat(level - 1)}${kind} ${name} ${line}-${endLine}`);

describe('the outline of a file', () => {
  it('has the functions, classes and names of a script', () => {
    const text = 'import inklings\n\nLIMIT = 3\n\nclass Page:\n    size = 1\n\n    def read(self):\n        inner = 1\n        return inner\n\n@cached\ndef main():\n    x = 1\n';
    expect(remote('scripts/a.py', text)).toEqual(['variable LIMIT 3-3', 'class Page 5-10', '  variable size 6-6', '  method read 8-10', 'function main 13-14']);
  });

  it('has the keys of JSON and YAML, and lists by what their items are called', () => {
    expect(remote('skill.json', '{\n  "artifacts": [\n    { "path": "a.j2", "name": "Check" },\n    {}\n  ],\n  "run": ["Check"]\n}')).toEqual([
      'key artifacts 2-5',
      '  item Check 3-3',
      '    key path 3-3',
      '    key name 3-3',
      '  item 2 4-4',
      'key run 6-6',
    ]);
    expect(remote('a.yaml', 'a:\n  b: 1\n"c d": [1]\n')).toEqual(['key a 1-2', '  key b 2-2', 'key c d 3-3']);
  });

  it('has the blocks of a template among the headings of its prose', () => {
    const text = '# One\n{% macro card(x) %}\n{{ x }}\n{% endmacro %}\n{% set y = 1 %}\n## Two\n{% for a in b %}\n{{ a }}\n{% endfor %}\n';
    expect(remote('prompts/a.j2', text)).toEqual(['heading One 1-10', '  macro card 2-4', '  value y 5-5', '  heading Two 6-10', '    loop for a in b 7-9']);
  });

  it('has the functions of a shell script, with Windows’ line ends too', () => {
    expect(remote('run.sh', 'one() {\r\n  echo\r\n}\r\nfunction two {\r\n}\r\n')).toEqual(['function one 1-3', 'function two 4-5']);
  });

  it('is empty where nothing is known of the language, and stands half-written text', () => {
    expect(outlineOf('a.txt', '# x')).toEqual([]);
    for (const path of ['a.py', 'a.json', 'a.yaml', 'a.j2', 'a.sh']) expect(() => outlineOf(path, '{"a": [{% for {{ def class ( "')).not.toThrow();
  });
});

describe('blocks of a template', () => {
  const names = (text: string): string[] => blocksOf(text).blocks.map(({ open, close }) => `${open.name}-${close?.name ?? 'open'}`);

  it('are matched with what closes them', () => {
    expect(names('{% for a in b %}{%- if a -%}x{% else %}y{% endif %}{% endfor %}{% set x = 1 %}{% set y %}z{% endset %}')).toEqual(['for-endfor', 'if-endif', 'set-endset']);
    expect(names('{# {% if %} #}{% raw %}{% for x in y %}{% endraw %}')).toEqual(['raw-endraw']);
    expect(names('{% for a in b %}{% if a %}{% endfor %}')).toEqual(['for-endfor', 'if-open']);
  });

  it('belong together, wherever in them the cursor is', () => {
    const text = '{% if a %}x{% else %}y{% endif %}{% endfor %}';
    const all = blocksOf(text);
    expect(relatedTagsAt(all, 3)?.tags.map((tag) => tag.name)).toEqual(['if', 'else', 'endif']);
    expect(relatedTagsAt(all, 14)?.closed).toBe(true);
    expect(relatedTagsAt(all, text.length - 1)).toMatchObject({ closed: false, tags: [{ name: 'endfor' }] });
    expect(relatedTagsAt(all, 10)?.tags.length).toBe(3);
    expect(relatedTagsAt(blocksOf('x{% if a %}'), 0)).toBeNull();
  });

  it('are known after each change as if the text were read anew', () => {
    const pieces = ['word ', 'x', ' ', '\n', '{% if a %}', '{% endif %}', '{%  %}', '{% raw %}', '{% endra %}', '{{ v }}', '{# ', ' #}', '{', '%', '}', 'endraw', 'w'];
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 60; round += 1) {
      const doc = Array.from({ length: 12 }, () => pieces[random(pieces.length)]).join('');
      let state = EditorState.create({ doc, extensions: [blocks] });
      for (let step = 0; step < 20; step += 1) {
        const from = random(state.doc.length + 1);
        const to = Math.min(state.doc.length, from + random(4));
        const before = state.doc.toString();
        state = state.update({ changes: { from, to, insert: random(3) === 0 ? '' : (pieces[random(pieces.length)] ?? '') } }).state;
        expect(state.field(blocks), `${JSON.stringify(before)} → ${JSON.stringify(state.doc.toString())}`).toEqual(blocksOf(state.doc.toString()));
      }
    }
  });
});
