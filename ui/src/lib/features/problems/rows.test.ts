import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '$lib/api/generated';
import { byFile, filtered, groupOf, rowsOf } from './rows';

const finding = (file: string | null, rule: string, severity: Diagnostic['severity'], line: number | null = 1): Diagnostic => ({
  rule, severity, message: `message of ${rule}`, hint: null, file, line, column: null, end_line: null, end_column: null, pointer: null,
});

const group = (id: string, list: readonly Diagnostic[]) => groupOf({ scope: 'account', id }, undefined, byFile(list), { errors: 0, warnings: 0 });

describe('rows of problems', () => {
  it('are by file and place', () => {
    const one = group('1', [finding('b', 'x/late', 'error', 9), finding('b', 'x/early', 'hint', 2), finding('a', 'x/a', 'warning'), finding(null, 'x/whole', 'error', null)]);
    expect(rowsOf([one], new Set()).map((row) => (row.kind === 'problem' ? row.problem.diagnostic.rule : row.kind))).toEqual(['skill', 'file', 'x/whole', 'file', 'x/a', 'file', 'x/early', 'x/late']);
    expect(rowsOf([one], new Set(['account:1/b'])).map((row) => row.kind)).toEqual(['skill', 'file', 'problem', 'file', 'problem', 'file']);
    expect(rowsOf([one], new Set(['account:1']))).toMatchObject([{ kind: 'skill', listed: 4, expanded: false }]);
  });

  it('leave out what isn’t bad enough, or has other words', () => {
    const groups = [group('1', [finding('a', 'x/bad', 'error'), finding('a', 'x/other', 'hint')]), group('2', [finding('a', 'x/hint', 'hint')])];
    const rules = (minSeverity: Diagnostic['severity'], text: string) => filtered(groups, { minSeverity, text }).flatMap(({ files }) => files.flatMap(({ problems }) => problems.map(({ diagnostic }) => diagnostic.rule)));
    expect(rules('warning', '')).toEqual(['x/bad']);
    expect(rules('hint', '')).toEqual(['x/bad', 'x/other', 'x/hint']);
    expect(rules('hint', 'MESSAGE other')).toEqual(['x/other']);
    expect(rules('hint', 'nothing')).toEqual([]);
  });

  it('are one for each skill, file and finding of many thousands', () => {
    const many = Array.from({ length: 10_000 }, (_, id) => group(String(id), [finding('a', 'x/a', 'error'), finding('b', 'x/b', 'warning')]));
    expect(rowsOf(filtered(many, { minSeverity: 'warning', text: '' }), new Set())).toHaveLength(50_000);
  });
});
