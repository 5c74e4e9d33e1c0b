import { Linter } from 'eslint';
import ts from 'typescript-eslint';
import { expect, it } from 'vitest';
import classes from '../scripts/lint-classes.js';

function messages(code: string): string[] {
  const linter = new Linter();
  const config = { plugins: { classes }, languageOptions: { parser: ts.parser }, rules: { 'classes/max-public-members': ['error', { max: 2 }] } } as Linter.Config;
  return linter.verify(code, config).map(({ message }) => message);
}

it('counts fields, accessors, methods and parameter properties', () => {
  expect(messages('class A { a = 1; get b() { return 1; } c() {} }')).toEqual(['A has 3 public members, at most 2 are allowed: split it by responsibility']);
  expect(messages('class A { static a = 1; b = 1; constructor(readonly c = 1) {} }')).toHaveLength(1);
  expect(messages('export default class { a = 1; b = 1; ["c"] = 1 }')).toEqual(['The class has 3 public members, at most 2 are allowed: split it by responsibility']);
});

it('counts neither private members, nor the two halves of a property, nor a constructor', () => {
  expect(messages('class A { #a = 1; private b = 1; protected c() {} constructor(private d = 1, e = 2) {} f = 1; g() {} }')).toEqual([]);
  expect(messages('class A { get a() { return 1; } set a(value) {} b() {} static {} }')).toEqual([]);
});
