import { beforeEach, expect, it, vi } from 'vitest';
import { bench, type Bench, settle } from '../../../tests/support';
import { fail } from '../../../tests/fake/core';
import { reportErrors } from './errorReports';

let b: Bench;
let page: EventTarget;
let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  b = await bench();
  page = new EventTarget();
  stop = reportErrors(b.client, page);
});

const throwIt = (error: unknown): boolean => page.dispatchEvent(Object.assign(new Event('error'), { error, message: `Error: ${String(error)}`, filename: 'app.js', lineno: 3 }));
const told = (): string[] => b.core.log.lines.map((line) => line.message);

it('writes down what is thrown and what is rejected', async () => {
  throwIt(new TypeError('x is undefined'));
  throwIt(null);
  page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: fail('io', 'the disk is full') }));
  await settle();
  expect(told()).toHaveLength(3);
  expect(told()[0]).toMatch(/^uncaught error: TypeError: x is undefined\n/);
  expect(told()[1]).toBe('uncaught error: Error: null at app.js:3');
  expect(told()[2]).toBe('unhandled promise rejection: the disk is full');
});

it('is neither flooded nor repeated, and long words are cut', async () => {
  for (let count = 0; count < 5; count += 1) throwIt('again');
  for (let count = 0; count < 50; count += 1) throwIt(`other ${count} ${'x'.repeat(10_000)}`);
  await settle();
  expect(told()).toHaveLength(10);
  expect(Math.max(...told().map((words) => words.length))).toBe(3_000);
  await vi.advanceTimersByTimeAsync(61_000);
  throwIt('again');
  await settle();
  expect(told()).toHaveLength(11);
});

it('says nothing where it is nothing, can’t be told, or was stopped', async () => {
  page.dispatchEvent(Object.assign(new Event('error'), { message: 'ResizeObserver loop completed with undelivered notifications.' }));
  page.dispatchEvent(new Event('error'));
  b.core.failing.set('log/report', fail('io', 'gone'));
  throwIt('lost');
  await settle();
  b.core.failing.clear();
  stop();
  throwIt('late');
  await settle();
  expect(told()).toEqual([]);
});
