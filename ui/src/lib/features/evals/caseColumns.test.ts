import { expect, it } from 'vitest';
import { addition, COLUMNS, type ColumnId, editOf, isEditable, shownText, textOf, titleOf } from './caseColumns';
import type { EvalCase } from './types';

const SHARED = { key: 'evals/evals.json#1', file: 'evals/evals.json', pointer: '/evals/0', name: null, tags: ['short', 'polite'], split: 'train' } as const;
const TASK = { ...SHARED, tags: [...SHARED.tags], kind: 'task', artifact: null, input: { message: 'Greet Aria' }, expected_output: 'Hello Aria', criteria: ['Greets by name'], assertions: [{ type: 'contains', value: 'Aria' }], files: [] } as EvalCase & { criteria: string[] };
const TRIGGER: EvalCase = { ...SHARED, tags: [], pointer: '/0', kind: 'trigger', query: 'Say hello', should_trigger: false };
const VALUES = { ...TASK, artifact: 'prompts/greet.j2', input: { name: 'Aria', times: 2 } } as EvalCase;

const columnOf = (id: ColumnId) => COLUMNS.find((column) => column.id === id) ?? { id, label: '', track: '', editor: null };
const shown = (one: EvalCase): string[] => COLUMNS.map(({ id }) => shownText(one, id));
const editable = (one: EvalCase): ColumnId[] => COLUMNS.filter((column) => isEditable(one, column)).map(({ id }) => id);
const edit = (one: EvalCase, id: ColumnId, text: string, expectations = false) => editOf(one, id, text, expectations);
const set = (field: string, value: unknown) => ({ change: 'set', key: SHARED.key, field, value });

it('cells show a case on one line', () => {
  expect(shown(TASK)).toEqual(['', 'Task', 'Greet Aria', 'Hello Aria', '1 criterion, 1 assertion', 'short, polite', 'Train']);
  expect(shown(TRIGGER)).toEqual(['', 'Should not trigger', 'Say hello', '', '', '', 'Train']);
  expect(shownText(VALUES, 'input')).toBe('prompts/greet.j2 · name: Aria, times: 2');
  expect([titleOf(TASK), titleOf({ ...TASK, name: 'Short' }), titleOf(VALUES)]).toEqual(['Greet Aria', 'Short', SHARED.key]);
});

it('only what fits on a line for each check, and isn’t of the manifest, is edited', () => {
  expect(editable(TASK)).toEqual(['name', 'kind', 'input', 'expected', 'checks', 'tags']);
  expect(editable(TRIGGER)).toEqual(['name', 'kind', 'input', 'tags']);
  expect(editable(VALUES)).not.toContain('kind');
  expect(editable({ ...TASK, criteria: ['two\nlines'] })).not.toContain('checks');
  expect(editable({ ...TASK, file: 'skill.json' })).toEqual([]);
  expect(isEditable(TASK, columnOf('split'))).toBe(false);
});

it('an edit sets the field of the entry, and an empty text removes it', () => {
  expect(edit(TASK, 'name', ' Short ')).toEqual({ changes: [set('name', 'Short')] });
  expect(edit(TASK, 'name', ' ')).toEqual({ changes: [set('name', null)] });
  expect(edit(TASK, 'input', 'Greet Bo')).toEqual({ changes: [set('prompt', 'Greet Bo')] });
  expect(edit(TRIGGER, 'input', 'Hi')).toEqual({ changes: [set('query', 'Hi')] });
  expect(edit(TRIGGER, 'input', ' ')).toEqual({ problem: 'Enter a request.' });
  expect(edit(VALUES, 'input', '{"name": "Bo"}')).toEqual({ changes: [set('input', { name: 'Bo' })] });
  expect(edit(VALUES, 'input', 'Bo')).toEqual({ problem: 'Enter the values as a JSON object.' });
  expect(edit(TASK, 'expected', '')).toEqual({ changes: [set('expected_output', null)] });
  expect(edit(TASK, 'tags', 'a, b\n a')).toEqual({ changes: [set('tags', ['a', 'b'])] });
  expect(edit(TASK, 'tags', ' , ')).toEqual({ changes: [set('tags', null)] });
  expect(edit(TASK, 'kind', 'trigger')).toEqual({ changes: [set('should_trigger', true)] });
  expect(edit(TRIGGER, 'kind', 'task')).toEqual({ changes: [set('should_trigger', null)] });
});

it('checks are lines: criteria in words, assertions as JSON, in the shape of their file', () => {
  const text = textOf(TASK, 'checks');
  expect(text).toBe('Greets by name\n{"type":"contains","value":"Aria"}');
  const assertion = { type: 'contains', value: 'Aria' };
  expect(edit(TASK, 'checks', `${text}\n\nIs short`)).toEqual({ changes: [set('assertions', ['Greets by name', 'Is short', assertion])] });
  expect(edit(TASK, 'checks', text, true)).toEqual({ changes: [set('expectations', ['Greets by name']), set('assertions', [assertion])] });
  expect(edit(TASK, 'checks', 'Is short', true)).toEqual({ changes: [set('expectations', ['Is short']), set('assertions', null)] });
  expect(edit(TASK, 'checks', '{"type":')).toEqual({ problem: 'Not a JSON object: {"type":' });
});

it('a new case goes to the file with others of its type', () => {
  const triggers = { ...TRIGGER, file: 'evals/triggers.json' };
  expect(addition('task', 'Greet Bo', [TASK, triggers])).toMatchObject({ change: 'add', file: 'evals/evals.json', case: { kind: 'task', input: { message: 'Greet Bo' } } });
  expect(addition('no_trigger', 'Bye', [TASK, triggers])).toMatchObject({ file: 'evals/triggers.json', case: { kind: 'trigger', query: 'Bye', should_trigger: false } });
  expect(addition('task', 'Greet Bo', [{ ...TASK, pointer: '' }, triggers])).not.toHaveProperty('file');
});
