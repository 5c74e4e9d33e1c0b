import { beforeEach, expect, it } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../tests/support';
import { CallControl } from './callControl';

let b: Bench;
const reported: string[] = [];

beforeEach(async () => {
  fakeTimers();
  reported.length = 0;
  b = await bench();
});

const control = (): CallControl => new CallControl().onProgress(({ done, total }) => reported.push(`${done}/${total ?? '?'}`));

it('hears how far its call is until the reply is there', async () => {
  b.core.hold('skill/import');
  const reply = b.client.call('skill/import', { paths: ['/a'] }, control());
  await flushPromises();
  b.core.far('skill/import', 1, null);
  b.core.far('skill/import', 2, 3);
  b.core.release('skill/import');
  expect((await reply).stopped).toBe(false);
  b.core.far('skill/import', 3, 3);
  expect(reported).toEqual(['1/?', '2/3']);
});

it('stops its call once, also when it was asked before the call began, and no call that is over', async () => {
  const early = control();
  early.cancel();
  early.cancel();
  expect((await b.client.call('skill/import', { paths: ['/a'] }, early)).stopped).toBe(true);
  expect(b.core.stops).toBe(1);
  const late = control();
  await b.client.call('skill/import', { paths: ['/a'] }, late);
  late.cancel();
  expect([b.core.stops, late.isCanceling]).toEqual([1, false]);
});

it('is made for the operations that always have progress, and for no other', async () => {
  const seen: (string | null)[] = [];
  b.client.onCall = (name, _, __, one) => seen.push(one === null ? null : name);
  b.client.controllable = new Set(['skill/import']);
  await b.client.call('skill/import', { paths: ['/a'] });
  await b.client.call('skill/list', {});
  expect(seen).toEqual(['skill/import', null]);
});
