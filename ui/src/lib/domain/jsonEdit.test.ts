import { describe, expect, it } from 'vitest';
import { type JsonPath, withItem, withMoved, withValue } from './jsonEdit';
import { parseJson, STRICT, WITH_COMMENTS } from './jsonParse';

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

describe('an edit of JSON with comments', () => {
  const SKILL = `{
  // about the skill
  "tags": ["a", "b"], // short
  "list": [
    // the first
    "one", // beside one
    "two", /* beside two */
    // the third,
    // in two lines
    "three"
  ],
  "last": { "x": 1, },
}
`;
  const put = (path: JsonPath, value: unknown): string => withValue(SKILL, path, value, WITH_COMMENTS);

  it('keeps them', () => {
    expect(put(['tags', 1], 'c')).toBe(SKILL.replace('"b"', '"c"'));
    expect(put(['last', 'y'], 2)).toBe(SKILL.replace('"x": 1,', '"x": 1, "y": 2,'));
    expect(put(['new'], true)).toBe(SKILL.replace('1, },\n', '1, },\n  "new": true,\n'));
    expect(withValue('{"a": 1 // one\n}', ['b'], 2, WITH_COMMENTS)).toBe('{"a": 1, // one\n  "b": 2\n}');
    expect(withValue('{\n  // nothing yet\n}', ['b'], 2, WITH_COMMENTS)).toBe('{\n  // nothing yet\n  "b": 2\n}');
    expect(withValue(SKILL, ['new'], true)).toBe(SKILL);
  });

  it('removes an entry with its own comments, and no others', () => {
    expect(put(['list', 0], undefined)).toBe(SKILL.replace('    // the first\n    "one", // beside one\n', ''));
    expect(put(['list', 2], undefined)).toBe(SKILL.replace(',\n  "last"', ',\n  "last"').replace('"two", /* beside two */\n    // the third,\n    // in two lines\n    "three"\n', '"two" /* beside two */\n'));
    expect(put(['last', 'x'], undefined)).toBe(SKILL.replace('\n  "last": { "x": 1, },', ''));
    expect(put(['tags'], undefined)).toBe(SKILL.replace('  // about the skill\n  "tags": ["a", "b"], // short\n', ''));
    expect(withValue('{ // all\n  "a": 1\n}', ['a'], undefined, WITH_COMMENTS)).toBe('{ // all\n}');
    expect(withValue('["a"]', [0], undefined, WITH_COMMENTS)).toBe('["a"]');
  });

  it('moves an item with its comments', () => {
    expect(withMoved(SKILL, ['list'], 0, 2, WITH_COMMENTS)).toBe(`{
  // about the skill
  "tags": ["a", "b"], // short
  "list": [
    "two", /* beside two */
    // the third,
    // in two lines
    "three",
    // the first
    "one" // beside one
  ],
  "last": { "x": 1, },
}
`);
    expect(withMoved(withMoved(SKILL, ['list'], 0, 2, WITH_COMMENTS), ['list'], 2, 0, WITH_COMMENTS)).toBe(SKILL);
    expect(withMoved(SKILL, ['tags'], 1, 0, WITH_COMMENTS)).toBe(SKILL.replace('"a", "b"', '"b", "a"'));
    expect(withMoved('{"l": ["a", "a", "b"]}', ['l'], 0, 2)).toBe('{"l": ["a", "b", "a"]}');
    expect(withMoved(SKILL, ['tags'], 0, 2, WITH_COMMENTS)).toBe(SKILL.replace('"a", "b"', '"b", "a"'));
    expect(withMoved(SKILL, ['last'], 0, 1, WITH_COMMENTS)).toBe(SKILL);
  });

  it('lets no line comment swallow what follows', () => {
    const moved = withMoved('{"l": ["a", "b" // bee\n]}', ['l'], 0, 1, WITH_COMMENTS);
    expect(parseJson(moved, WITH_COMMENTS).problem).toBeNull();
    expect(moved).toBe('{"l": ["b", "a" // bee\n]}');
    expect(withMoved('{"l": ["a", // aye\n "b"]}', ['l'], 0, 1, WITH_COMMENTS)).toBe('{"l": ["b", // aye\n "a"]}');
  });
});

describe('a list in JSON', () => {
  it('gets items at its end, and is made for the first one', () => {
    expect(withItem('{"a": ["x"]}', ['a'], 'y')).toBe('{"a": ["x", "y"]}');
    expect(withItem('{\n  "a": [\n    "x"\n  ]\n}', ['a'], { k: 1 })).toBe('{\n  "a": [\n    "x",\n    {\n      "k": 1\n    }\n  ]\n}');
    expect(withItem('{}', ['a', 'b'], 1)).toBe('{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}');
    expect(withItem('{"a": []}', ['a'], 1)).toBe('{"a": [\n    1\n  ]}');
    expect(withItem('{"a": ["x",]}', ['a'], 'y', WITH_COMMENTS)).toBe('{"a": ["x", "y",]}');
  });

  it('goes with its last item, and an item stays when its last key goes', () => {
    expect(withValue('{"a": {"b": {"c": ["x"]}}, "d": 1}', ['a', 'b', 'c', 0], undefined)).toBe('{"d": 1}');
    expect(withValue('{"a": [{"b": 1}]}', ['a', 0, 'b'], undefined)).toBe('{"a": [{}]}');
  });

  it('has nothing at an index that it doesn’t reach', () => {
    for (const path of [['a', 3], ['a', 3, 'b'], [0], ['b', 0]]) expect(withValue('{"a": ["x"]}', path, 1)).toBe('{"a": ["x"]}');
    expect(withValue('{"a": ["x"]}', ['a', 3], undefined)).toBe('{"a": ["x"]}');
  });
});

describe('a problem of JSON', () => {
  const problem = (text: string, dialect = WITH_COMMENTS): unknown => parseJson(text, dialect).problem;

  it('says where it is', () => {
    expect(problem('{\n  "a": 1\n  "b" 2\n}')).toEqual({ message: 'comma expected', line: 3, column: 3 });
    expect(problem('{"a": 1} // end')).toBeNull();
    expect(problem('{"a": 1, // x\n}', STRICT)).toMatchObject({ line: 1 });
    expect(problem('')).not.toBeNull();
  });
});
