import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeTimers } from '../../../tests/support';
import { afterFrame } from './timing';

let frames: (() => void)[];

beforeEach(() => {
  fakeTimers();
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => frames.push(then));
});
afterEach(() => vi.unstubAllGlobals());

it('acts once, after the frame is drawn', () => {
  const action = vi.fn();
  afterFrame(action);
  frames.pop()?.();
  expect(action).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(action).toHaveBeenCalledOnce();
});

it('doesn’t wait for the frame of a window that isn’t drawn', () => {
  const action = vi.fn();
  afterFrame(action);
  vi.advanceTimersByTime(100);
  expect(action).toHaveBeenCalledOnce();
  frames.pop()?.();
  vi.advanceTimersByTime(1_000);
  expect(action).toHaveBeenCalledOnce();
});
