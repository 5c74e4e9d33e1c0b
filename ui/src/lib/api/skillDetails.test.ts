import { beforeEach, expect, it } from 'vitest';
import { fail } from '../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../tests/support';

let b: Bench;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
});

it('a skill that was deleted and restored elsewhere is read again', async () => {
  const skill = b.core.find('timeline-builder');
  const { details } = b.catalog;
  await details.load(skill.summary);
  for (const ids of [[skill.summary.id], []]) {
    skill.deleted = true;
    b.core.emit('skill', ids);
    await flushPromises();
    expect([details.get(skill.summary), details.failureOf(skill.summary)?.code]).toEqual([undefined, 'notFound']);
    skill.deleted = false;
    b.core.emit('skill', ids);
    await flushPromises();
    expect([details.get(skill.summary)?.id, details.failureOf(skill.summary)]).toEqual([skill.summary.id, undefined]);
  }
});

it('a skill that this window deletes has no failure left', async () => {
  const { summary } = b.core.find('timeline-builder');
  b.core.failing.set('skill/get', fail('io', 'permission denied'));
  await b.catalog.details.load(summary);
  expect(b.catalog.details.failureOf(summary)?.code).toBe('io');
  b.catalog.delete(summary);
  expect(b.catalog.details.failureOf(summary)).toBeUndefined();
});
