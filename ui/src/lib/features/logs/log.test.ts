import { beforeEach, expect, it, vi } from 'vitest';
import { bench, type Bench } from '../../../../tests/support';
import { fail } from '../../../../tests/fake/core';
import { LogState } from './log.svelte';

let b: Bench;
let log: LogState;

beforeEach(async () => {
  vi.useFakeTimers();
  b = await bench();
  b.core.log.add('info', 'refused operation=skill/get');
  b.core.log.add('warn', 'moving a damaged database aside');
  b.core.log.add('error', 'a thread panicked\nat main.rs');
  log = new LogState(b.client);
});

const messages = (): string[] => log.lines.map((line) => line.message.split('\n')[0] ?? '');

it('shows what is there and what comes, until nobody looks', async () => {
  const stop = log.source.watch();
  await vi.advanceTimersByTimeAsync(0);
  expect(messages()).toEqual(['refused operation=skill/get', 'moving a damaged database aside', 'a thread panicked']);
  b.core.log.add('info', 'later');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(messages().at(-1)).toBe('later');
  expect(b.core.callsOf('log/read').at(-1)).toEqual({ after: 3 });
  stop();
  const asked = b.core.callsOf('log/read').length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(b.core.callsOf('log/read')).toHaveLength(asked);
});

it('is narrowed down by level and words, and copied as it is shown', async () => {
  await log.source.read();
  log.level = 'warn';
  expect(messages()).toEqual(['moving a damaged database aside', 'a thread panicked']);
  log.level = 'error';
  expect(log.text).toBe('2026-03-13T10:00:00.000Z ERROR inklings_store::store: a thread panicked\nat main.rs\n');
  log.level = 'all';
  log.query = ' DAMAGED ';
  expect(messages()).toEqual(['moving a damaged database aside']);
  log.query = 'nothing like it';
  expect([log.lines.length, log.source.lines.length === 0]).toEqual([0, false]);
  log.clearFilter();
  expect(log.lines).toHaveLength(3);
});

it('follows the newest line until another one is looked at', async () => {
  await log.source.read();
  expect(log.active).toBe(2);
  log.choose(0);
  b.core.log.add('info', 'later');
  await log.source.read();
  expect([log.active, log.following, log.line?.level]).toEqual([0, false, 'info']);
  log.choose(3);
  b.core.log.add('info', 'latest');
  await log.source.read();
  expect([log.active, log.following]).toEqual([4, true]);
  log.follow(false);
  expect(log.active).toBe(3);
});

it('says how many lines are gone, and goes on after a failure', async () => {
  b.core.failing.set('log/read', fail('io', 'the core is gone'));
  await log.source.read();
  expect([log.source.failure?.code, log.source.loaded]).toEqual(['io', false]);
  b.core.failing.clear();
  await log.source.read();
  expect([log.source.failure, log.source.loaded, log.source.missed]).toEqual([null, true, 0]);
  b.core.log.dropped = 10;
  b.core.log.lines = [];
  b.core.log.add('info', 'after many');
  await log.source.read();
  expect([log.source.missed, messages().at(-1)]).toEqual([7, 'after many']);
  await log.source.read();
  expect(log.source.missed).toBe(7);
});
