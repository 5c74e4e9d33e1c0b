import { isRecord, plural, readObject } from '$lib/domain';
import { SPLIT_LABELS } from './labels';
import type { CaseChange, EvalCase } from './types';

export type ColumnId = 'name' | 'kind' | 'input' | 'expected' | 'checks' | 'tags' | 'split';
export type CaseType = 'task' | 'trigger' | 'no_trigger';

export interface CaseColumn {
  id: ColumnId;
  label: string;
  /** A track of the grid. */
  track: string;
  /** What its cells are edited in; null if they can’t be edited. */
  editor: 'line' | 'text' | 'type' | null;
  /** The entry’s field, as it is called in the file. */
  hint?: string;
}

export const COLUMNS: readonly CaseColumn[] = [
  { id: 'name', label: 'Name', track: 'minmax(90px, 1.2fr)', editor: 'line' },
  { id: 'kind', label: 'Type', track: '134px', editor: 'type' },
  { id: 'input', label: 'Prompt or input', track: 'minmax(140px, 3fr)', editor: 'text' },
  { id: 'expected', label: 'Expected output', track: 'minmax(100px, 2fr)', editor: 'text' },
  { id: 'checks', label: 'Checks', track: 'minmax(90px, 1.2fr)', editor: 'text', hint: 'One per line: a criterion in words, or an assertion as JSON.' },
  { id: 'tags', label: 'Tags', track: 'minmax(70px, 1fr)', editor: 'line', hint: 'Separate with commas.' },
  { id: 'split', label: 'Split', track: '76px', editor: null },
];

export const TYPE_LABELS: Record<CaseType, string> = { task: 'Task', trigger: 'Should trigger', no_trigger: 'Should not trigger' };

const MANIFEST = 'skill.json';
const MESSAGE = 'message';
/** Characters of a cell; its end is cut off anyway. */
const MAX_SHOWN = 400;

type Trigger = Extract<EvalCase, { should_trigger: boolean }>;

export const isTrigger = (one: EvalCase): one is Trigger => 'should_trigger' in one;
export const typeOf = (one: EvalCase): CaseType => (!isTrigger(one) ? 'task' : one.should_trigger ? 'trigger' : 'no_trigger');
/** Cases of the manifest are edited there. */
export const isOfManifest = ({ file }: EvalCase): boolean => file === MANIFEST;

/** The request; null for a case of values only. */
export function messageOf(one: EvalCase): string | null {
  if (isTrigger(one)) return one.query;
  const message = one.input[MESSAGE];
  return typeof message === 'string' ? message : null;
}

/** What a case is called in messages. */
export const titleOf = (one: EvalCase): string => one.name ?? (shorten(messageOf(one) ?? '') || one.key);

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** Its values beside the message. */
function valuesOf(one: EvalCase): Record<string, unknown> {
  return isTrigger(one) ? {} : Object.fromEntries(Object.entries(one.input).filter(([name]) => name !== MESSAGE || typeof one.input[MESSAGE] !== 'string'));
}

export function isEditable(one: EvalCase, { id, editor }: CaseColumn): boolean {
  if (editor === null || isOfManifest(one)) return false;
  if (id === 'kind') return messageOf(one) !== null;
  if (isTrigger(one)) return id !== 'expected' && id !== 'checks';
  // The editor has one check per line.
  return id !== 'checks' || !one.criteria.some((text) => text.includes('\n') || text.trimStart().startsWith('{'));
}

/** The text that the editor of a cell begins with. */
export function textOf(one: EvalCase, column: ColumnId): string {
  switch (column) {
    case 'name':
      return one.name ?? '';
    case 'kind':
      return typeOf(one);
    case 'input':
      return messageOf(one) ?? JSON.stringify(valuesOf(one), null, 2);
    case 'expected':
      return isTrigger(one) ? '' : (one.expected_output ?? '');
    case 'checks':
      return isTrigger(one) ? '' : [...one.criteria, ...one.assertions.map((assertion) => JSON.stringify(assertion))].join('\n');
    case 'tags':
      return one.tags.join(', ');
    case 'split':
      return SPLIT_LABELS[one.split];
  }
}

/** What a cell shows on one line. */
export function shownText(one: EvalCase, column: ColumnId): string {
  if (column === 'kind') return TYPE_LABELS[typeOf(one)];
  if (column === 'checks') {
    if (isTrigger(one)) return '';
    const counts = [one.criteria.length > 0 ? plural(one.criteria.length, 'criterion', 'criteria') : '', one.assertions.length > 0 ? plural(one.assertions.length, 'assertion') : ''];
    return counts.filter(Boolean).join(', ');
  }
  if (column === 'input') {
    const values = Object.entries(valuesOf(one)).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    const artifact = isTrigger(one) ? '' : (one.artifact ?? '');
    return [artifact, messageOf(one) ?? '', values.join(', ')].filter((text) => text !== '').join(' · ').slice(0, MAX_SHOWN);
  }
  return textOf(one, column).slice(0, MAX_SHOWN);
}

export type CellEdit = { changes: CaseChange[] } | { problem: string };

/** The changes that give a cell another text, or why it can’t have it. `expectations`: whether the file calls its checks so. */
export function editOf(one: EvalCase, column: ColumnId, text: string, expectations: boolean): CellEdit {
  const set = (field: string, value: unknown): CaseChange => ({ change: 'set', key: one.key, field, value });
  const texts = text.trim() === '' ? null : text;
  switch (column) {
    case 'name':
      return { changes: [set('name', texts === null ? null : text.trim())] };
    case 'kind':
      return { changes: [set('should_trigger', text === 'task' ? null : text === 'trigger')] };
    case 'input':
      return inputEdit(one, text, set);
    case 'expected':
      return { changes: [set('expected_output', texts)] };
    case 'tags': {
      const tags = tagsOf(text);
      return { changes: [set('tags', tags.length === 0 ? null : tags)] };
    }
    case 'checks': {
      const checks = readChecks(text);
      if ('problem' in checks) return checks;
      const { criteria, assertions } = checks;
      if (!expectations) return { changes: [set('assertions', [...criteria, ...assertions])] };
      return { changes: [set('expectations', criteria), set('assertions', assertions.length === 0 ? null : assertions)] };
    }
    case 'split':
      return { changes: [] };
  }
}

function inputEdit(one: EvalCase, text: string, set: (field: string, value: unknown) => CaseChange): CellEdit {
  if (isTrigger(one)) return text.trim() === '' ? { problem: 'Enter a request.' } : { changes: [set('query', text)] };
  if (messageOf(one) !== null) return { changes: [set('prompt', text)] };
  const values = readObject(text);
  return values === null ? { problem: 'Enter the values as a JSON object.' } : { changes: [set('input', values)] };
}

export const tagsOf = (text: string): string[] => [...new Set(text.split(/[,\n]/).map((tag) => tag.trim()).filter((tag) => tag !== ''))];

function readChecks(text: string): { criteria: string[]; assertions: unknown[] } | { problem: string } {
  const [criteria, assertions]: [string[], unknown[]] = [[], []];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    if (!line.startsWith('{')) {
      criteria.push(line);
      continue;
    }
    const assertion = readObject(line);
    if (!isRecord(assertion)) return { problem: `Not a JSON object: ${shorten(line)}` };
    assertions.push(assertion);
  }
  return { criteria, assertions };
}

/** A new case with a request. */
export function addition(type: CaseType, text: string, cases: readonly EvalCase[]): CaseChange {
  const file = fileFor(cases, type !== 'task');
  const task = { kind: 'task' as const, artifact: null, input: { [MESSAGE]: text }, expected_output: null, criteria: [], assertions: [], files: [] };
  const kind = type === 'task' ? task : { kind: 'trigger' as const, query: text, should_trigger: type === 'trigger' };
  return { change: 'add', ...(file === null ? {} : { file }), case: kind };
}

/** The file with a list that the last case of this kind is in; null for the default file. */
function fileFor(cases: readonly EvalCase[], trigger: boolean): string | null {
  const last = cases.findLast((one) => isTrigger(one) === trigger && !isOfManifest(one) && one.pointer !== '');
  return last?.file ?? null;
}
