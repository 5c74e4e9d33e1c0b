import { slugify } from '$lib/domain';
import type { Params } from '$lib/api/generated';

export type Expectation = 'none' | 'equals' | 'contains' | 'json_schema';

export interface NewCase {
  name: string;
  artifact: string;
  input: Params;
  output: string;
  expectation: Expectation;
  /** The text that the output must contain, or a JSON Schema. */
  expected: string;
}

export const casePath = (name: string): string => `evals/${slugify(name)}.json`;

/** Why the case can't be saved; empty if it can. */
export function caseProblem({ name, expectation, expected }: NewCase, paths: readonly string[]): string {
  if (slugify(name) === '') return 'Enter a name.';
  const path = casePath(name);
  if (paths.some((one) => one.toLowerCase() === path.toLowerCase())) return `${path} already exists. Enter another name.`;
  if (expectation === 'contains' && expected === '') return 'Enter the text that the output must contain.';
  if (expectation === 'json_schema' && readSchema(expected) === null) return 'Enter a JSON Schema: an object.';
  return '';
}

/** The text of the case's file. Assertions are written as in skill.json. */
export function caseText({ name, artifact, input, output, expectation, expected }: NewCase): string {
  const assertions = {
    none: [],
    equals: [{ type: 'equals', value: output, severity: 'hard' }],
    contains: [{ type: 'contains', value: expected, severity: 'hard' }],
    json_schema: [{ type: 'structural', check: 'json_schema', schema: readSchema(expected), severity: 'hard' }],
  }[expectation];
  return `${JSON.stringify({ name: name.trim(), artifact, input, expected_output: output, assertions }, null, 2)}\n`;
}

function readSchema(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
