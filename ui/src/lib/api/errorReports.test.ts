import { beforeEach, expect, it, vi } from 'vitest';
import { bench, type Bench, flushPromises } from '../../../tests/support';
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
const reported = (): string[] => b.core.log.lines.map((line) => line.message);

it('writes down what is thrown and what is rejected', async () => {
  throwIt(new TypeError('x is undefined'));
  throwIt(null);
  page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: fail('io', 'the disk is full') }));
  await flushPromises();
  expect(reported()).toHaveLength(3);
  expect(reported()[0]).toMatch(/^uncaught error: TypeError: x is undefined\n/);
  expect(reported()[1]).toBe('uncaught error: Error: null at app.js:3');
  expect(reported()[2]).toBe('unhandled promise rejection: the disk is full');
});

it('is neither flooded nor repeated, and long words are cut', async () => {
  for (let count = 0; count < 5; count += 1) throwIt('again');
  for (let count = 0; count < 50; count += 1) throwIt(`other ${count} ${'x'.repeat(10_000)}`);
  await flushPromises();
  expect(reported()).toHaveLength(10);
  expect(Math.max(...reported().map((words) => words.length))).toBe(3_000);
  await vi.advanceTimersByTimeAsync(61_000);
  throwIt('again');
  await flushPromises();
  expect(reported()).toHaveLength(11);
});

it('reports nothing without a message, if reporting fails, or once it is stopped', async () => {
  page.dispatchEvent(Object.assign(new Event('error'), { message: 'ResizeObserver loop completed with undelivered notifications.' }));
  page.dispatchEvent(new Event('error'));
  b.core.failing.set('log/report', fail('io', 'the disk failed'));
  throwIt('lost');
  await flushPromises();
  b.core.failing.clear();
  stop();
  throwIt('late');
  await flushPromises();
  expect(reported()).toEqual([]);
});
