import { describe, expect, it } from 'vitest';
import { withValue } from './jsonEdit';

const MODULE = `{
  "template_id":   "react",
  "parameters": { "tools": ["get_page"], "big": 12345678901234567890 },
  "other": [1.0, "a \\"}\\" b"]
}
`;

describe('an edit of JSON', () => {
  it('leaves everything else as it was written', () => {
    const text = withValue(MODULE, ['template_id'], 'predict');
    expect(text).toBe(MODULE.replace('"react"', '"predict"'));
  });

  it('goes into objects', () => {
    expect(withValue(MODULE, ['parameters', 'max_iters'], 3)).toBe(MODULE.replace('12345678901234567890 }', '12345678901234567890, "max_iters": 3 }'));
    expect(withValue(MODULE, ['parameters', 'tools'], undefined)).toBe(MODULE.replace('"tools": ["get_page"], ', ''));
  });

  it('adds at the end, indented like the rest', () => {
    expect(withValue(MODULE, ['adapter'], 'json')).toBe(MODULE.replace('b"]\n', 'b"],\n  "adapter": "json"\n'));
    expect(withValue('{}', ['a'], { b: 1 })).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
    expect(withValue('{"a": 1}', ['b'], 2)).toBe('{"a": 1, "b": 2}');
    expect(withValue('{\r\n\t"a": 1\r\n}', ['b', 'c'], 2)).toBe('{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}');
  });

  it('removes, and an object that is left empty too', () => {
    expect(withValue('{"a": 1, "b": 2}', ['a'], undefined)).toBe('{"b": 2}');
    expect(withValue('{"a": 1, "b": 2}', ['b'], undefined)).toBe('{"a": 1}');
    expect(withValue('{"a": {"b": 1}, "c": 2}', ['a', 'b'], undefined)).toBe('{"c": 2}');
    expect(withValue('{ "a": 1 }', ['a'], undefined)).toBe('{}');
    expect(withValue('{"a": 1}', ['b', 'c'], undefined)).toBe('{"a": 1}');
  });

  it('takes what is written last, as parsers do', () => expect(withValue('{"a": 1, "a": 2}', ['a'], 3)).toBe('{"a": 1, "a": 3}'));

  it('leaves alone what is no object', () => {
    for (const text of ['', '[1]', '{"a": ', 'nonsense']) expect(withValue(text, ['a'], 1)).toBe(text);
  });
});
