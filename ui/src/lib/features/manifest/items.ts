import type { TreeField } from '$lib/domain';

type Item = Readonly<Record<string, unknown>>;

/** An item to fill in: its required fields, with a unique key and the first of several choices. */
export function newItem(fields: readonly TreeField[], noun: string, items: readonly Item[]): Item {
  const values = fields.filter(({ required }) => required).map((field): [string, unknown] => {
    if (field.kind === 'choice') return [field.key, field.choices[0] ?? ''];
    return [field.key, field.key === 'key' ? freeKey(noun, items) : ''];
  });
  return Object.fromEntries(values);
}

function freeKey(noun: string, items: readonly Item[]): string {
  const used = new Set(items.map(({ key }) => key));
  let number = items.length + 1;
  while (used.has(`${noun}-${number}`)) number += 1;
  return `${noun}-${number}`;
}

/** What identifies the item: its first text; empty without one. */
export function itemName(item: Item, fields: readonly TreeField[]): string {
  const name = fields.filter(({ kind }) => kind === 'text').map(({ key }) => item[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name : '';
}
