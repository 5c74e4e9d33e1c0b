import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typescript } from './typescript.mjs';

const definitions = {
  Scope: { description: 'Where a skill lives.', type: 'string', enum: ['account', 'workspace'] },
  Role: { oneOf: [{ description: 'The page.', type: 'string', const: 'main' }, { type: 'string', const: 'file' }] },
  NoParams: { description: 'None.', type: 'object', additionalProperties: false },
  Change: {
    oneOf: [
      { type: 'object', properties: { op: { type: 'string', const: 'delete' }, path: { type: 'string' } }, required: ['op', 'path'] },
      { type: 'object', properties: { op: { type: 'string', const: 'move' }, to: { $ref: '#/definitions/Scope' } }, required: ['op', 'to'] },
    ],
  },
  Skill: {
    title: 'Skill',
    type: 'object',
    properties: {
      title: { type: 'string' },
      scope: { description: 'Its scope.', $ref: '#/definitions/Scope' },
      hidden: { anyOf: [{ $ref: '#/definitions/Scope' }, { type: 'null' }] },
      author: { type: ['string', 'null'] },
      changes: { type: 'array', items: { $ref: '#/definitions/Change' }, minItems: 1 },
      files: { type: 'object', additionalProperties: { type: 'integer', format: 'uint64', minimum: 0 } },
      extra: true,
      note: { type: 'string', default: '' },
    },
    required: ['title', 'scope', 'hidden', 'author', 'changes', 'files', 'extra'],
  },
};
const document = {
  definitions,
  operations: {
    'skill/get': { params: { type: 'object', properties: { skill: { type: 'string' } }, required: ['skill'] }, output: { $ref: '#/definitions/Skill' } },
    'app/status_now': { params: { $ref: '#/definitions/NoParams' }, output: { type: 'array', items: { $ref: '#/definitions/Role' } } },
  },
};

const flat = (text) => text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ');

test('each definition is declared once, under its own name', async () => {
  const code = await typescript(document);
  for (const name of Object.keys(definitions)) assert.equal(code.match(new RegExp(`export (interface|type) ${name}\\b`, 'g'))?.length, 1, name);
  assert.ok(!/\w+1\b/.test(code), code);
});

test('fields keep nullability, optionality and references', async () => {
  const code = flat(await typescript(document));
  assert.match(code, /interface Skill \{ title: string; scope: Scope; hidden: Scope \| null; author: string \| null; changes: Change\[\]; files: \{ \[k: string\]: number;? \}; extra: unknown; note\?: string; \}/);
  assert.match(code, /type Role = 'main' \| 'file'/);
  assert.match(code, /type NoParams = Record<string, never>/);
});

test('the comments of a field survive its reference', async () => {
  assert.match(await typescript(document), /\*\* Its scope\. \*\/\n +scope: Scope;/);
});

test('operations name their types, inline ones after the operation', async () => {
  const code = await typescript(document);
  assert.match(code, /'skill\/get': \{ params: Skill\.SkillGetParams; output: Skill\.Skill \};/);
  assert.match(code, /'app\/status_now': \{ params: App\.NoParams; output: App\.AppStatusNowOutput \};/);
  assert.match(flat(code), /type AppStatusNowOutput = Role\[\]/);
});

test('a type belongs to the family that alone uses it, directly or through another type', async () => {
  const used = (name) => ({ $ref: `#/definitions/${name}` });
  const code = flat(
    await typescript({
      definitions: {
        Own: { type: 'object', properties: { nested: used('Nested'), shared: used('Shared') } },
        Nested: { type: 'object', properties: { again: used('Own') } },
        Shared: { type: 'string', enum: ['a'] },
        Unused: { type: 'string', enum: ['b'] },
      },
      operations: { 'file/get': { params: used('Own'), output: used('Shared') }, 'page/get': { params: used('Shared'), output: used('Shared') } },
    }),
  );
  const [shared, files] = code.split('export namespace Files {');
  for (const name of ['Shared', 'Unused']) assert.match(shared, new RegExp(`export type ${name}\\b`));
  for (const name of ['Own', 'Nested']) assert.match(files, new RegExp(`export interface ${name}\\b`));
  assert.doesNotMatch(code, /namespace Page/);
  assert.match(code, /'file\/get': \{ params: Files\.Own; output: Shared \};/);
});

test('a reference to nothing is an error', async () => {
  const broken = { definitions: {}, operations: { 'a/b': { params: { $ref: '#/definitions/Gone' }, output: true } } };
  await assert.rejects(typescript(broken), /a\/b refers to Gone/);
});

test('the same schema gives the same text', async () => {
  assert.equal(await typescript(document), await typescript(structuredClone(document)));
});
