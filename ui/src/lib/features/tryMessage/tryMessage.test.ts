import { beforeEach, expect, it, vi } from 'vitest';
import type { Search } from '$lib/api/generated';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { SearchStatus, searchStatusText } from './searchStatus.svelte';
import { missingWords, partsOf, reasonOf, TryMessage } from './tryMessage.svelte';

const MATCH: Search.SkillMatch = {
  skill: 's', scope: 'account', slug: 'tea', name: 'Tea', description: '', score: 0.5, exact: null, similarity: 0.466, coverage: 0.404, terms: ['tea'], avoided: 0, quality: 1,
};
let b: Bench;
let one: TryMessage;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  one = new TryMessage(b.client);
});

it('searches a moment after the last letter, and forgets the result with the message', async () => {
  b.core.library.matches = { skills: [MATCH], left_out: [], words: ['make', 'tea'], words_only: null };
  one.type('make');
  one.type('make tea ');
  await vi.advanceTimersByTimeAsync(500);
  await flushPromises();
  expect(b.core.callsOf('search/skills')).toEqual([{ message: 'make tea', limit: 8 }]);
  expect(one.result?.skills).toEqual([MATCH]);
  one.open = true;
  one.close();
  expect([one.open, one.message, one.result !== null]).toEqual([false, 'make tea ', true]);
  one.type(' ');
  await vi.advanceTimersByTimeAsync(500);
  expect(one.result).toBeNull();
});

it('says why, and what a description lacks', () => {
  const result = { skills: [MATCH], left_out: [], words: ['make', 'tea'], words_only: null };
  expect(missingWords(result, MATCH)).toEqual(['make']);
  expect(partsOf(MATCH)).toBe('meaning 0.47, words 40%');
  expect(partsOf({ ...MATCH, exact: 'tea maker', similarity: null, avoided: 0.1, quality: 0.8 })).toBe('says “tea maker”, words 40%, “When not to use it” −0.10, lifecycle ×0.80');
  expect(reasonOf({ ...MATCH, reason: 'weak' })).toBe('Doesn’t fit');
});

it('the status bar says how far the background is, or that only words are compared', async () => {
  const searchStatus = new SearchStatus(b.client, b.feed);
  const text = (): string | undefined => searchStatusText({ searchStatus })?.text;
  searchStatus.load();
  await flushPromises();
  expect(text()).toBeUndefined();
  const report = async (status: Search.SearchStatus): Promise<void> => {
    b.core.library.searchStatus = status;
    b.core.emit('search', []);
    b.core.emit('search', []);
    await vi.advanceTimersByTimeAsync(200);
    await flushPromises();
  };
  await report({ indexing: { done: 120, total: 800 }, words_only: null });
  expect([text(), b.core.callsOf('search/status').length]).toEqual(['Indexing skills, 120 of 800', 2]);
  await report({ indexing: null, words_only: 'the embedding model isn’t installed' });
  expect([text(), searchStatusText({ searchStatus })?.title]).toEqual(['Search compares words only', 'Skills aren’t found by meaning: the embedding model isn’t installed.\nInstall Inklings Skill Studio again to restore the model.']);
  searchStatus.reset();
  expect(text()).toBeUndefined();
});
