import { describe, expect, it } from 'vitest';
import type { Symbols } from '$lib/api/generated';
import { withoutPartialNames } from './completion';
import { jsonOffers, jsonPosition, keyAt, type Shape } from './jsonOffers';
import { frontmatterOffers, linkTo, markdownOffers } from './markdownOffers';
import { templateOffers, wordAt } from './templateOffers';

const variable = (name: string, more: Partial<Symbols.KnownVariable> = {}): Symbols.KnownVariable => ({
  name,
  shape: 'text',
  fields: [],
  optional: false,
  description: null,
  default: null,
  asked_by: ['Check Prompt'],
  given_by: [],
  declared: false,
  ...more,
});

const NAMES: Symbols.Names = {
  revision: 1,
  variables: [variable('claims', { shape: 'list', fields: ['page_name', 'text'] }), variable('person', { shape: 'object', fields: ['age'] }), variable('topic')],
  outputs: [
    { key: 'check_prompt', artifact: 'Check Prompt', kind: 'prompt_template', fields: [] },
    { key: 'look', artifact: 'Look', kind: 'code_template', fields: ['pages'] },
  ],
  artifacts: [
    { name: 'Check Prompt', kind: 'prompt_template', path: 'prompts/check.j2' },
    { name: 'Look', kind: 'code_template', path: 'scripts/look.py' },
    { name: 'Overview', kind: 'description', path: 'SKILL.md' },
  ],
  files: ['SKILL.md', 'prompts/check.j2', 'references/a guide.md', 'references/b.md', 'scripts/look.py', 'skill.json'],
  anchors: { 'SKILL.md': ['first-steps'], 'references/b.md': ['deep'] },
};

const word = (name: string): { name: string; about: string } => ({ name, about: `About ${name}.` });
const LABELS: Symbols.LanguageData = {
  filters: [word('join'), word('upper')],
  tests: [word('defined')],
  functions: [word('range')],
  frontmatter: [word('name'), word('license'), word('metadata')],
  skill_json: {},
  dspy_module: {},
};

/** What is offered at the end of a template, with where the word begins. */
function at(before: string, asked = false): string[] {
  return templateOffers(before, NAMES, LABELS, asked)?.offers.map(({ label }) => label) ?? [];
}

describe('what a template may say', () => {
  it('is values where an expression begins', () => {
    expect(at('Hello {{ ')).toEqual(expect.arrayContaining(['claims', 'topic', 'outputs', 'range', 'not']));
    expect(templateOffers('Hello {{ to', NAMES, LABELS, false)?.from).toBe('Hello {{ '.length);
    expect(at('{% if to')).toContain('topic');
    expect(at('{{ x(a, ')).toEqual([]);
    expect(at('{{ x(a, ', true)).toContain('topic');
  });

  it('is nothing in prose, comments and quotes, but what can be begun when it is asked for', () => {
    for (const before of ['Hello wor', '{# {{ to', '{{ done }} to', '{{ "to', "{{ x | join(', to"]) expect(at(before)).toEqual([]);
    expect(at('Hello ', true)).toEqual(expect.arrayContaining(['topic', 'for', 'if', 'macro']));
    expect(at('{{ "a" ~ to')).toContain('topic');
  });

  it('is filters behind a bar, tests behind is, statements behind a per cent sign', () => {
    expect(at('{{ topic | ')).toEqual(['join', 'upper']);
    expect(at('{{ topic|up')).toEqual(['join', 'upper']);
    expect(at('{% if topic is not ')).toEqual(['defined']);
    expect(at('{% ')).toEqual(expect.arrayContaining(['for', 'if', 'set', 'macro', 'endfor', 'else']));
    expect(at('{%- fo')).toContain('for');
  });

  it('is the outputs of artifacts, in both spellings, and their fields', () => {
    expect(at('{{ outputs.')).toEqual(['check_prompt', 'look']);
    expect(at('{{ outputs["ch')).toEqual(['check_prompt', 'look']);
    expect(at('{{ outputs.look.')).toEqual(['pages']);
  });

  it('is the fields of values, of items of a list, and of the loop', () => {
    expect(at('{{ person.')).toEqual(['age']);
    expect(at('{% for claim in claims %}{{ claim.')).toEqual(['page_name', 'text']);
    expect(at('{% for claim in claims %}{{ loop.')).toContain('index');
    expect(at('{{ claims.')).toEqual([]);
    expect(at('{% for claim in claims %}{% set mine = 1 %}{{ ')).toEqual(expect.arrayContaining(['claim', 'mine', 'loop']));
  });

  it('leaves out words that are only half typed, here or a moment ago', () => {
    const names = { ...NAMES, variables: [variable('cla'), variable('topic'), variable('declared', { declared: true }), variable('other', { asked_by: ['Look'] })] };
    const left = (rest: string): string[] => withoutPartialNames(names, rest, 'Check Prompt').variables.map(({ name }) => name);
    expect(left('{{ topic }} {{  }}')).toEqual(['topic', 'declared', 'other']);
    expect(left('{{ cla }} {{  }}')).toEqual(['cla', 'declared', 'other']);
  });

  it('is no name that is being given, and no field that is being typed', () => {
    for (const before of ['{% set na', '{% macro na', '{% for it', '{% for key, val']) expect(at(before)).toEqual([]);
    expect(at('{% for claim in cla')).toContain('claims');
    expect(at('{% set mine = 1 %}{{ mi')).toContain('mine');
    expect(at('{% set mine = to')).toContain('topic');
    const names = { ...NAMES, variables: [variable('claims', { shape: 'list', fields: ['page_name', 'pa', 'text'], declared: true })] };
    const fields = (rest: string, word: string): string[] => withoutPartialNames(names, rest, 'Check Prompt', word).variables[0]?.fields ?? [];
    expect(fields('{{ claim. }}', 'pag')).toEqual(['page_name', 'text']);
    expect(fields('{{ claim.pa }} {{ claim. }}', 'pag')).toEqual(['page_name', 'pa', 'text']);
  });

  it('is explained where a word is a filter, a test or a function', () => {
    const remote = (line: string, name: string): string | undefined => wordAt(line, line.indexOf(name) + 1, LABELS)?.about;
    expect(remote('{{ a | upper }}', 'upper')).toBe('About upper.');
    expect(remote('{% if a is defined %}', 'defined')).toBe('About defined.');
    expect(remote('{% for i in range(3) %}', 'range')).toBe('About range.');
    expect(remote('an upper house | upper', 'upper')).toBeUndefined();
  });
});

const SHAPE: Shape = {
  properties: {
    run: { type: 'array', items: { type: 'string' }, description: 'The order.' },
    relations: { type: 'object', properties: { depends_on: { type: 'array', items: { type: 'string' } } } },
    artifacts: { type: 'array', items: { type: 'object', properties: { kind: { enum: ['approach', 'example'] }, path: { type: 'string' }, metadata: { type: 'object', properties: { fallback_artifact: { type: 'string' } } } } } },
    loop: { anyOf: [{ type: 'object', properties: { mode: { oneOf: [{ const: 'slow', description: 'By hand.' }] } } }, { type: 'null' }] },
    on: { type: 'boolean' },
  },
};

function json(before: string): string[] {
  const position = jsonPosition(before);
  return position ? jsonOffers(position, SHAPE, NAMES, [{ slug: 'other', name: 'Other' }]).map(({ label }) => label) : [];
}

describe('what skill.json may say', () => {
  it('is keys that the object hasn’t yet, typed with a quote or without', () => {
    expect(json('{ "run": [], "')).toEqual(['relations', 'artifacts', 'loop', 'on']);
    expect(json('{ "run": [], re')).toContain('relations');
    expect(json('{ // run: "\n "artifacts": [{ "kind": "approach", "')).toEqual(['path', 'metadata']);
    expect(json('{ "loop": { "')).toEqual(['mode']);
  });

  it('is values by their shape, and names of the skill', () => {
    expect(json('{ "artifacts": [{ "kind": "')).toEqual(['approach', 'example']);
    expect(json('{ "on": ')).toEqual(['true', 'false']);
    expect(json('{ "loop": { "mode": "')).toEqual(['slow']);
    expect(json('{ "run": ["Look", "')).toEqual(['Check Prompt', 'Look']);
    expect(json('{ "artifacts": [{}, { "path": "')).toContain('prompts/check.j2');
    expect(json('{ "artifacts": [{ "metadata": { "fallback_artifact": "')).toEqual(['Check Prompt']);
    expect(json('{ "relations": { "depends_on": ["')).toEqual(['other']);
  });

  it('is explained by its keys', () => {
    const text = '{ "run": ["run"] }';
    expect(keyAt(text, 4, SHAPE)).toMatchObject({ name: 'run', about: 'The order.', from: 2, to: 7 });
    expect(keyAt(text, 12, SHAPE)).toBeNull();
  });
});

describe('what markdown may say', () => {
  const labels = (before: string, path = 'SKILL.md'): string[] => markdownOffers(before, path, NAMES)?.offers.map(({ label }) => label) ?? [];

  it('is the way to files, and headings of them', () => {
    expect(labels('See [x](')).toEqual(['prompts/check.j2', 'references/a%20guide.md', 'references/b.md', 'scripts/look.py']);
    expect(labels('See [x](', 'references/b.md')).toContain('../SKILL.md');
    expect(labels('See [x](#')).toEqual(['first-steps']);
    expect(labels('See [x](references/b.md#')).toEqual(['deep']);
    expect(labels('Run `scr')).toContain('scripts/look.py');
    expect(labels('`a` and scr')).toEqual([]);
    expect(linkTo('a/b/c.md', 'a/d.md')).toBe('../d.md');
  });

  it('is the keys of the frontmatter that aren’t there', () => {
    const keys = (before: string, after = '\n---\n'): string[] => frontmatterOffers(before, after, LABELS)?.offers.map(({ label }) => label) ?? [];
    expect(keys('---\nname: x\nli')).toEqual(['license', 'metadata']);
    expect(keys('---\n', 'license: MIT\n---\n')).toEqual(['name', 'metadata']);
    expect(keys('---\nname: x\n---\nli')).toEqual([]);
    expect(keys('---\nname: na')).toEqual([]);
  });
});
