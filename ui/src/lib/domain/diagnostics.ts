import type { Diagnostic, Severity } from '$lib/api/generated';

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2, hint: 3 };

export const bySeverity = (a: Severity, b: Severity): number => RANK[a] - RANK[b];

/** By line, then by severity; those without a line come first. */
export const byPlace = (a: Diagnostic, b: Diagnostic): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || bySeverity(a.severity, b.severity);

export interface Tally {
  errors: number;
  warnings: number;
}

export function tally(list: Iterable<Diagnostic>): Tally {
  const count = { errors: 0, warnings: 0 };
  for (const { severity } of list) {
    if (severity === 'error') count.errors += 1;
    else if (severity === 'warning') count.warnings += 1;
  }
  return count;
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
