import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { jinja } from './jinja';

/** The tokens as "style:text", plain text left out. */
function tokens(doc: string): string[] {
  const state = EditorState.create({ doc, extensions: [jinja] });
  const found: string[] = [];
  ensureSyntaxTree(state, doc.length, 5_000)?.iterate({
    enter: (node) => {
      if (node.name !== 'Document') found.push(`${node.name}:${doc.slice(node.from, node.to)}`);
    },
  });
  return found;
}

describe('jinja', () => {
  it('tells statements from expressions', () => {
    expect(tokens('{% for claim in claims %} {{ claim.text | upper }} {% endfor %}')).toEqual([
      'tagName:{%', 'keyword:for', 'variableName:claim', 'keyword:in', 'variableName:claims', 'tagName:%}',
      'tagName:{{', 'variableName:claim', 'operator:.', 'propertyName:text', 'operator:|', 'function:upper', 'tagName:}}',
      'tagName:{%', 'keyword:endfor', 'tagName:%}',
    ]);
  });

  it('reads comments over lines', () => {
    expect(tokens('a {# one\ntwo #} b').join(' ')).toBe('comment:{# one comment:two #}');
  });

  it('takes nothing inside raw for a tag', () => {
    expect(tokens('{% raw %}{{ not }}{% endraw %}{{ yes }}').filter((token) => token.startsWith('variableName'))).toEqual(['variableName:yes']);
  });

  it('keeps whitespace marks with their tag', () => {
    expect(tokens('{%- if x -%}')).toEqual(['tagName:{%-', 'keyword:if', 'variableName:x', 'tagName:-%}']);
  });

  it('shows headings and lists of the prose around', () => {
    expect(tokens('# Task\n- one\n1. two')).toEqual(['heading:# Task', 'list:- ', 'list:1. ']);
  });

  it('marks strings, numbers and constants', () => {
    expect(tokens('{{ f("a\\"b", 1.5, true) }}')).toEqual([
      'tagName:{{', 'function:f', 'bracket:(', 'string:"a\\"b"', 'operator:,', 'number:1.5', 'operator:,', 'atom:true', 'bracket:)', 'tagName:}}',
    ]);
  });

  it('goes on after a tag that is never closed', () => {
    expect(() => tokens('{{ open\nand more {% if')).not.toThrow();
  });
});
