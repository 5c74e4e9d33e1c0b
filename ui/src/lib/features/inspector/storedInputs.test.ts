import { beforeEach, expect, it } from 'vitest';
import { type Bench, bench, fakeTimers } from '../../../../tests/support';
import type { FormKey } from './formKey';
import { StoredInputs } from './storedInputs.svelte';

let b: Bench;
let inputs: StoredInputs;
let key: FormKey;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  const { id, scope } = b.core.find('timeline-builder').summary;
  key = { scope, skillId: id, path: 'prompts/order.j2' };
  inputs = new StoredInputs(b.client, () => undefined);
  inputs.reset(key);
  await inputs.save('one', { topic: 'a' });
  await inputs.save('two', { topic: 'b' });
});

const names = (): string[] => inputs.list.map(({ name }) => name).filter(Boolean).sort();

it('renames an input, and loses none', async () => {
  expect(await inputs.rename('one', 'first')).toBeNull();
  expect([names(), inputs.chosen]).toEqual([['first', 'two'], 'first']);
  expect(inputs.chosenEntry?.params).toEqual({ topic: 'a' });
  expect((await inputs.rename('first', 'two'))?.code).toBe('exists');
  expect(await inputs.rename('two', 'two')).toBeNull();
  expect(names()).toEqual(['first', 'two']);
  const order = b.core.calls.map(({ name }) => name).filter((name) => name.startsWith('input/') && name !== 'input/list');
  expect(order).toEqual(['input/save', 'input/save', 'input/save', 'input/delete']);
});
