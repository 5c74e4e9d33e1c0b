import { beforeEach, expect, it } from 'vitest';
import { type Bench, bench, fakeTimers, settle } from '../../../tests/support';
import { Watch } from './watch';

let b: Bench;
const heard: string[] = [];

beforeEach(async () => {
  fakeTimers();
  heard.length = 0;
  b = await bench();
});

const watch = (): Watch => new Watch().hear(({ done, total }) => heard.push(`${done}/${total ?? '?'}`));

it('hears how far its call is until the reply is there', async () => {
  b.core.hold('skill/import');
  const reply = b.client.call('skill/import', { paths: ['/a'] }, watch());
  await settle();
  b.core.far('skill/import', 1, null);
  b.core.far('skill/import', 2, 3);
  b.core.release('skill/import');
  expect((await reply).stopped).toBe(false);
  b.core.far('skill/import', 3, 3);
  expect(heard).toEqual(['1/?', '2/3']);
});

it('stops its call once, also when it was asked before the call began, and no call that is over', async () => {
  const early = watch();
  early.stop();
  early.stop();
  expect((await b.client.call('skill/import', { paths: ['/a'] }, early)).stopped).toBe(true);
  expect(b.core.stops).toBe(1);
  const late = watch();
  await b.client.call('skill/import', { paths: ['/a'] }, late);
  late.stop();
  expect([b.core.stops, late.stopping]).toEqual([1, false]);
});

it('is made for the operations that are always watched, and for no other', async () => {
  const seen: (string | null)[] = [];
  b.client.onCall = (name, _, __, one) => seen.push(one === null ? null : name);
  b.client.watched = new Set(['skill/import']);
  await b.client.call('skill/import', { paths: ['/a'] });
  await b.client.call('skill/list', {});
  expect(seen).toEqual(['skill/import', null]);
});
