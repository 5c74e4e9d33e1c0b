import { beforeEach, describe, expect, it } from 'vitest';
import type { DocumentKey } from '../document/document.svelte';
import { NavigationHistory } from './navigationHistory';

const key = (path: string): DocumentKey => ({ scope: 'account', skillId: 's', path });
const always = (): boolean => true;
let history: NavigationHistory;
const visit = (path: string, line: number | null): void => history.visit(key(path), line === null ? null : { line, column: 1 });
const go = (by: 1 | -1): string | undefined => {
  const stop = history.go(by, always);
  return stop ? `${stop.key.path}:${stop.position?.line ?? '?'}` : undefined;
};

beforeEach(() => {
  history = new NavigationHistory();
});

describe('places', () => {
  it('can be visited again by going back and forward', () => {
    visit('a', 1);
    visit('b', 40);
    visit('c', 3);
    expect([go(-1), history.canGoBack, go(-1), history.canGoBack]).toEqual(['b:40', true, 'a:1', false]);
    expect([go(1), go(1), go(1)]).toEqual(['b:40', 'c:3', undefined]);
  });

  it('are far from each other: reading on is none', () => {
    visit('a', 1);
    visit('a', 6);
    visit('a', 12);
    visit('a', 300);
    expect([go(-1), go(-1)]).toEqual(['a:12', undefined]);
  });

  it('are known by their file before the cursor is', () => {
    visit('a', null);
    visit('a', 70);
    visit('b', null);
    expect(go(-1)).toBe('a:70');
  });

  it('are none on the way to one of them', () => {
    visit('a', 200);
    visit('b', 1);
    expect(go(-1)).toBe('a:200');
    // The file is shown at its last cursor before the editor goes on.
    visit('a', null);
    visit('a', 1);
    visit('a', 200);
    expect([history.canGoBack, go(1)]).toEqual([false, 'b:1']);
  });

  it('end what was ahead when one goes elsewhere', () => {
    visit('a', 1);
    visit('b', 1);
    go(-1);
    visit('a', 1);
    visit('c', 1);
    expect([history.canGoForward, go(-1)]).toEqual([false, 'a:1']);
  });

  it('skip deleted files, and follow moved ones', () => {
    visit('a', 1);
    visit('b', 1);
    visit('c', 1);
    history.moved(key('a'), key('z'));
    const stop = history.go(-1, ({ path }) => path !== 'b');
    expect(stop?.key.path).toBe('z');
  });
});
