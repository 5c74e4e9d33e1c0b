import { expect, it } from 'vitest';
import { inputsOf } from './planForm.svelte';

it('the inputs of a program have the shapes of their types', () => {
  const program = JSON.stringify({ signature: 'question, pages: list[str], facts: dict[str, str], more: Optional[list[int]], count: int -> answer' });
  expect(inputsOf(program).map(({ name, shape, description }) => [name, shape, description])).toEqual([
    ['question', 'text', undefined],
    ['pages', 'list', 'list[str]'],
    ['facts', 'object', 'dict[str, str]'],
    ['more', 'list', 'Optional[list[int]]'],
    ['count', 'text', 'int'],
  ]);
  expect(inputsOf('nonsense')).toEqual([]);
  expect(inputsOf('{"signature": 3}')).toEqual([]);
});
