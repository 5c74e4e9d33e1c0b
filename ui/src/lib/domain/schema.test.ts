import { describe, expect, it } from 'vitest';
import { fieldsOf, labelOf, parseField, treeOf, valueProblem } from './schema';

// As pydantic writes it.
const SCHEMA = {
  $defs: { ToolName: { enum: ['workspace_search', 'get_page'], type: 'string' } },
  type: 'object',
  properties: {
    max_iters: { default: 8, description: 'Most calls of tools.', maximum: 30, minimum: 1, title: 'Max Iters', type: 'integer' },
    threshold: { default: 1.0, maximum: 1.0, minimum: 0.0, type: 'number' },
    reasoning: { default: true, type: 'boolean' },
    over: { default: '', type: 'string' },
    tools: { default: ['get_page'], items: { $ref: '#/$defs/ToolName' }, minItems: 1, type: 'array' },
    mode: { $ref: '#/$defs/ToolName', description: 'Own words.' },
    strange: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
  },
};
const fields = fieldsOf(SCHEMA);
const field = (key: string): (typeof fields)[number] => {
  const found = fields.find((one) => one.key === key);
  if (!found) throw new Error(key);
  return found;
};

describe('a schema', () => {
  it('becomes fields in its order', () => {
    expect(fields.map((one) => [one.label, one.kind])).toEqual([
      ['Max iters', 'number'], ['Threshold', 'number'], ['Reasoning', 'switch'], ['Over', 'text'], ['Tools', 'several'], ['Mode', 'choice'], ['Strange', 'json'], ['Note', 'text'],
    ]);
    expect(field('max_iters')).toMatchObject({ help: 'Most calls of tools.', default: 8, integer: true, min: 1, max: 30 });
    expect(field('mode')).toMatchObject({ choices: ['workspace_search', 'get_page'], help: 'Own words.' });
  });

  it('may be anything', () => {
    for (const schema of [null, 'x', {}, { properties: [] }, { properties: { a: null } }]) expect(fieldsOf(schema)).toBeInstanceOf(Array);
  });
});

describe('a schema of lists and objects', () => {
  // As schemars writes it.
  const tree = treeOf({
    properties: {
      tools: { type: 'array', items: { type: 'string', minLength: 1 } },
      gates: {
        type: 'array',
        items: {
          type: 'object',
          required: ['when'],
          properties: {
            when: { description: 'A moment.', oneOf: [{ const: 'before_run', description: 'Before.', type: 'string' }, { const: 'after', type: 'string' }], default: 'after' },
            params: { type: ['object', 'null'], additionalProperties: true },
          },
        },
      },
      loop: {
        type: ['object', 'null'],
        properties: {
          mode: { anyOf: [{ oneOf: [{ const: 'a', description: 'First.' }] }, { type: 'null' }], description: 'Own words.' },
          strategy: { anyOf: [{ type: 'string', anyOf: [{ enum: ['manual', 'rewrite'] }, { pattern: '^x:' }] }, { type: 'null' }] },
          most: { type: ['integer', 'null'], minimum: 1 },
        },
      },
      formats: { type: ['array', 'null'], items: { oneOf: [{ const: 'a' }, { const: 'b' }] } },
    },
  });
  const [tools, gates, loop, formats] = tree;

  it('becomes a tree of fields', () => {
    expect(tree.map(({ kind }) => kind)).toEqual(['list', 'list', 'object', 'several']);
    expect(tools).toMatchObject({ item: { kind: 'text' } });
    const item = gates?.kind === 'list' ? gates.item : undefined;
    expect(item).toMatchObject({ kind: 'object', fields: [{ key: 'when', required: true }, { key: 'params', kind: 'json', required: false }] });
    expect(item?.kind === 'object' && item.fields[0]).toMatchObject({ kind: 'choice', choices: ['before_run', 'after'], about: { before_run: 'Before.', after: '' }, default: 'after' });
    expect(formats).toMatchObject({ choices: ['a', 'b'] });
  });

  it('has fields for what may be null', () => {
    expect(loop?.kind === 'object' && loop.fields).toMatchObject([
      { kind: 'choice', choices: ['a'], help: 'Own words.' },
      { kind: 'text', known: ['manual', 'rewrite'] },
      { kind: 'number', integer: true, min: 1 },
    ]);
  });

  it('is labeled by its keys', () => {
    expect(['requiredTools', 'max_iters', 'claude-skill', 'version'].map(labelOf)).toEqual(['Required tools', 'Max iters', 'Claude skill', 'Version']);
  });
});

describe('what is typed', () => {
  it('is a value, the default, or refused with the bounds', () => {
    expect(parseField(field('max_iters'), ' 3 ')).toEqual({ value: 3 });
    expect(parseField(field('max_iters'), '')).toEqual({ value: undefined });
    expect(parseField(field('max_iters'), '31')).toEqual({ problem: 'Enter a whole number from 1 to 30.' });
    expect(parseField(field('max_iters'), '1.5')).toHaveProperty('problem');
    expect(parseField(field('threshold'), '0.25')).toEqual({ value: 0.25 });
    expect(parseField(field('strange'), '{"a": 1}')).toEqual({ value: { a: 1 } });
    expect(parseField(field('strange'), '{')).toHaveProperty('problem');
  });

  it('is checked also where it was there before', () => {
    expect(valueProblem(field('max_iters'), 99)).toMatch(/1 to 30/);
    expect(valueProblem(field('max_iters'), '9')).not.toBe('');
    expect(valueProblem(field('reasoning'), 1)).not.toBe('');
    expect(valueProblem(field('tools'), [])).toMatch(/at least 1/);
    expect(valueProblem(field('tools'), ['get_page'])).toBe('');
    expect(valueProblem(field('mode'), 'x')).not.toBe('');
  });
});
