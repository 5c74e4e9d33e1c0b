import { expect, it } from 'vitest';
import type { Page } from '$lib/api/generated';
import { asValueText, fieldsOf, fromPage, itemsOf, newItem, parseValueText, withField, withoutField } from './structure';

it('reads every value as it was written', () => {
  for (const value of ['plain', '', ' spaced ', '12', 'true', 'null', '"quoted"', '{', '[1]', 12, -0.5, true, false, null, [1, 'a'], { a: 'b' }]) {
    expect(parseValueText(asValueText(value)), JSON.stringify(value)).toEqual(value);
  }
  expect([asValueText('12'), asValueText(12), asValueText('a "b"'), asValueText(undefined)]).toEqual(['"12"', '12', 'a "b"', '']);
});

it('edits items and fields without changing the others', () => {
  const claims = { name: 'claims', shape: 'list', fields: ['page', 'text'] } as const;
  const variable = { ...claims, fields: [...claims.fields] };
  expect(newItem(variable)).toEqual({ page: '', text: '' });
  expect(newItem({ ...variable, fields: [] })).toBe('');
  expect(fieldsOf({ text: 'x', extra: 1 }, variable)).toEqual(['page', 'text', 'extra']);
  expect(fieldsOf('x', variable)).toBeNull();
  expect(itemsOf('broken', 'list')).toEqual([]);
  expect(itemsOf(undefined, 'object')).toEqual([{}]);
  const item = Object.freeze({ page: 'Aria', extra: 1 });
  expect([withField(item, 'text', 'x'), withoutField(item, 'extra')]).toEqual([{ page: 'Aria', extra: 1, text: 'x' }, { page: 'Aria' }]);
});

it('takes values from a page by their names', () => {
  const body = '# Aria\n\nA smuggler.\n\nBorn in 1841.\n';
  const page = { path: 'people/Aria.md', slug: 'people/aria', title: 'Aria', type: 'character', tags: ['north'], modified: '', body, frontmatter: { born: 1841 } };
  const detail = { page, references: {} } as unknown as Page.PageDetail;
  const value = (name: string, shape: 'text' | 'list' | 'object' = 'text', ...fields: string[]): unknown => fromPage({ name, shape, fields }, detail);
  expect([value('entity_name'), value('page_path'), value('born'), value('profile')]).toEqual(['Aria', 'people/Aria.md', '1841', body.trim()]);
  expect(value('claims', 'list', 'page', 'line', 'text')).toEqual([
    { page: 'Aria', line: '', text: 'A smuggler.' },
    { page: 'Aria', line: '', text: 'Born in 1841.' },
  ]);
  expect(value('claims', 'list')).toEqual(['A smuggler.', 'Born in 1841.']);
  expect(value('character', 'object')).toEqual({ title: 'Aria', path: 'people/Aria.md', text: body.trim() });
});
